import { type AccountSettings, DEFAULT_SETTINGS } from "@mulkko/shared/rest/settings";
import { describe, expect, it } from "vitest";
import { createRestClient } from "../rest/client.ts";
import { createSettingsDesk } from "./settings-desk.ts";

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** A relay that answers each call when it is told to. */
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
  /** Answers the oldest call, or the one at that place of those that wait. */
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
  controllers: { box: { maxRunSeconds } },
});

describe("settings desk", () => {
  it("[RUN-1] those who ask at once share one call", async () => {
    const relay = createRelay();
    const desk = createSettingsDesk(relay.rest);
    const both = Promise.all([desk.read(), desk.read()]);
    relay.answer(withCap(600));
    await both;
    expect(relay.asked).toEqual([{ method: "GET", path: "/relay/settings", body: undefined }]);
    expect(desk.store.getState()).toEqual({ settings: withCap(600), failure: null });
  });

  it("[RUN-1] a change is shown as the relay answered it, and no older answer undoes it", async () => {
    const relay = createRelay();
    const desk = createSettingsDesk(relay.rest);
    const reading = desk.read();
    const saving = desk.changeCap("box", 900);
    const [, save] = relay.asked;
    expect(save).toEqual({
      method: "PUT",
      path: "/relay/controllers/box",
      body: { maxRunSeconds: 900 },
    });
    relay.answer(withCap(900), 1);
    await saving;
    // The reading that began before the change answers after it.
    relay.answer(withCap(600));
    await reading;
    expect(desk.store.getState().settings).toEqual(withCap(900));
  });

  it("[RUN-1] a refused change changes nothing, and is told to who asked for it", async () => {
    const relay = createRelay();
    const desk = createSettingsDesk(relay.rest);
    const reading = desk.read();
    relay.answer(withCap(600));
    await reading;
    const saving = desk.changeChannel("box:1", { defaultRunSeconds: 60 });
    relay.answer(404);
    await expect(saving).rejects.toMatchObject({ status: 404 });
    expect(relay.asked.at(-1)?.path).toBe("/relay/channels/box%3A1");
    expect(desk.store.getState().settings).toEqual(withCap(600));
  });

  it("[RUN-1] a reading that fails says so and keeps what is known; the next one mends it", async () => {
    const relay = createRelay();
    const desk = createSettingsDesk(relay.rest);
    const first = desk.read();
    relay.answer(503);
    await first;
    expect(desk.store.getState()).toEqual({ settings: null, failure: "internal" });
    const second = desk.read();
    relay.answer(withCap(600));
    await second;
    expect(desk.store.getState()).toEqual({ settings: withCap(600), failure: null });
  });

  it("[RUN-3] what is no valve's own has its own call", async () => {
    const relay = createRelay();
    const desk = createSettingsDesk(relay.rest);
    const saving = desk.changeAdoption(true);
    relay.answer({ ...DEFAULT_SETTINGS, adoptExternal: true });
    await saving;
    expect(relay.asked).toEqual([{ method: "PUT", path: "/relay/settings", body: { adoptExternal: true } }]);
    expect(desk.store.getState().settings?.adoptExternal).toBe(true);
  });
});
