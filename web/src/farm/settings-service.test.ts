import { type AccountSettings, DEFAULT_SETTINGS } from "@mulkko/shared/rest/settings";
import { describe, expect, it } from "vitest";
import { createRestClient } from "../rest/client.ts";
import { createSettingsService } from "./settings-service.ts";

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** Simulate a relay that answers each call on the test's command. */
function createRelay() {
  const asked: Asked[] = [];
  const waiting: ((response: Response) => void)[] = [];
  const rest = createRestClient(
    { accessToken: () => "token", refresh: async () => null },
    (path, { method = "GET", body }) => {
      asked.push({ method, path, body: typeof body === "string" ? JSON.parse(body) : undefined });
      return new Promise((resolve) => waiting.push(resolve));
    },
  );
  /** Answer the oldest waiting call, or the one at an index. */
  const answer = (settings: AccountSettings | number, which = 0): void => {
    const [next] = waiting.splice(which, 1);
    if (!next) throw new Error("nothing was asked");
    next(
      typeof settings === "number"
        ? new Response("", { status: settings })
        : new Response(JSON.stringify(settings)),
    );
  };
  return { rest, asked, answer };
}

const withCap = (maxRunSeconds: number): AccountSettings => ({
  ...DEFAULT_SETTINGS,
  controllers: { unit: { maxRunSeconds } },
});

describe("settings service", () => {
  it("[RUN-1] shares one call among simultaneous readers", async () => {
    const relay = createRelay();
    const service = createSettingsService(relay.rest);
    const both = Promise.all([service.read(), service.read()]);
    relay.answer(withCap(600));
    await both;
    expect(relay.asked).toEqual([{ method: "GET", path: "/relay/settings", body: undefined }]);
    expect(service.store.getState()).toEqual({ settings: withCap(600), failure: null });
  });

  it("[RUN-1] shows a change as the relay answered it, and no older answer overwrites it", async () => {
    const relay = createRelay();
    const service = createSettingsService(relay.rest);
    const reading = service.read();
    const saving = service.changeCap("unit", 900);
    const [, save] = relay.asked;
    expect(save).toEqual({
      method: "PUT",
      path: "/relay/controllers/unit",
      body: { maxRunSeconds: 900 },
    });
    relay.answer(withCap(900), 1);
    await saving;
    // The read that began before the change answers after it.
    relay.answer(withCap(600));
    await reading;
    expect(service.store.getState().settings).toEqual(withCap(900));
  });

  it("[RUN-1] keeps its state after a refused change and rejects the call", async () => {
    const relay = createRelay();
    const service = createSettingsService(relay.rest);
    const reading = service.read();
    relay.answer(withCap(600));
    await reading;
    const saving = service.changeChannel("unit:1", { defaultRunSeconds: 60 });
    relay.answer(404);
    await expect(saving).rejects.toMatchObject({ status: 404 });
    expect(relay.asked.at(-1)?.path).toBe("/relay/channels/unit%3A1");
    expect(service.store.getState().settings).toEqual(withCap(600));
  });

  it("[RUN-1] reports a failed read and keeps the known settings until the next read succeeds", async () => {
    const relay = createRelay();
    const service = createSettingsService(relay.rest);
    const first = service.read();
    relay.answer(503);
    await first;
    expect(service.store.getState()).toEqual({ settings: null, failure: "internal" });
    const second = service.read();
    relay.answer(withCap(600));
    await second;
    expect(service.store.getState()).toEqual({ settings: withCap(600), failure: null });
  });

  it("[RUN-3] changes account-wide settings with their own call", async () => {
    const relay = createRelay();
    const service = createSettingsService(relay.rest);
    const saving = service.changeAdoption(true);
    relay.answer({ ...DEFAULT_SETTINGS, adoptExternal: true });
    await saving;
    expect(relay.asked).toEqual([{ method: "PUT", path: "/relay/settings", body: { adoptExternal: true } }]);
    expect(service.store.getState().settings?.adoptExternal).toBe(true);
  });
});
