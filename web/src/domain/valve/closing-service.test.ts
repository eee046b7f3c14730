import type { CommandState } from "@mulkko/shared/live/devices";
import type { CloseAllAnswer } from "@mulkko/shared/rest/command";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { describe, expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import { createRestClient } from "../../api/client.ts";
import { createFakeStorage } from "../../testing/fake-storage.ts";
import { closingState, createClosingService } from "./closing-service.ts";
import { Outbox } from "./outbox.ts";
import type { OutboxEntry } from "./outbox-entry.ts";

const NOW = Date.parse("2026-11-22T06:00:00Z");

const answerOf = (jobId: string, state: CommandState): CloseAllAnswer => ({
  jobId,
  channels: [1, 2].map((number) => ({
    channelId: `${number}`,
    controllerId: "box",
    number,
    commandId: `all-${number}`,
    state,
    reason: null,
    activeMode: "none",
  })),
});

type Reply = (path: string, key: string) => Response | Promise<Response>;

function createFarm(reply: Reply, memory = createFakeStorage()) {
  const asked: { path: string; key: string }[] = [];
  const rest = createRestClient(
    { accessToken: () => "token", refresh: async () => null },
    async (path, { headers }) => {
      const key = new Headers(headers).get("idempotency-key") ?? "";
      asked.push({ path, key });
      return reply(path, key);
    },
  );
  const open = (accountId = "me", now = NOW) => {
    const outbox = new Outbox({
      rest,
      accountId,
      signedIn: () => accountId,
      memory: createFakeStorage(),
      store: createStore<readonly OutboxEntry[]>(() => []),
      now: () => now,
      timers: createFakeTimers(createFakeClock()),
    });
    return createClosingService({ rest, outbox, accountId, memory, now: () => now });
  };
  return { asked, memory, open };
}

/** Press close-all, and wait for its answer. */
async function closeFarm(service: ReturnType<ReturnType<typeof createFarm>["open"]>, id: string | null) {
  service.close({ id, name: null, valves: [] }, { at: NOW, withinMs: 0 });
  await new Promise((resolve) => setTimeout(resolve, 0));
}

const accepted: Reply = (_path, key) => new Response(JSON.stringify(answerOf(key, "accepted")));

describe("closing service", () => {
  it("[RUN-5] closes the farm's valves and follows each by its own command", async () => {
    const { asked, open } = createFarm(accepted);
    const service = open();
    await closeFarm(service, "7");
    expect(asked[0]?.path).toBe("/relay/farms/7/close-all");
    service.step({ id: "all-2", state: "confirmed", reason: null });
    expect(service.store.getState()).toMatchObject({
      farmId: "7",
      at: NOW,
      channels: [{ state: "accepted" }, { state: "confirmed" }],
    });
  });

  it("[RUN-5] restores the state after a reload until the user dismisses it", async () => {
    const farm = createFarm(accepted);
    const service = farm.open();
    await closeFarm(service, null);
    service.step({ id: "all-1", state: "confirmed", reason: null });
    const again = farm.open();
    expect(again.store.getState()).toEqual(service.store.getState());
    again.dismiss();
    expect(again.store.getState()).toBeNull();
    expect(farm.memory.length).toBe(0);
    expect(farm.open().store.getState()).toBeNull();
  });

  it("[HS-2] is hidden from other accounts and on the next day", async () => {
    const farm = createFarm(accepted);
    await closeFarm(farm.open(), "7");
    expect(farm.open("neighbor").store.getState()).toBeNull();
    expect(farm.open("me", NOW + 24 * 3_600_000).store.getState()).toBeNull();
    farm.memory.setItem("mulkko.closing", "{half");
    expect(farm.open().store.getState()).toBeNull();
  });

  it("[CMD-9] reads the steps that occurred while no page was open", async () => {
    const farm = createFarm((path, key) => {
      if (path.includes("close-all")) return accepted(path, key);
      const command = {
        command: "onoff",
        controllerId: "box",
        channelId: "1",
        number: 1,
        target: 2,
        by: { id: "me", nickname: "Kim" },
        origin: "screen",
        traceId: "t",
        at: "2026-11-22T06:00:00Z",
        until: null,
        steps: [],
      };
      const commands = [
        { ...command, id: "all-1", state: "confirmed", reason: null },
        { ...command, id: "all-2", state: "failed", reason: "upstream-down" },
        { ...command, id: "other", state: "confirmed", reason: null },
      ];
      return new Response(JSON.stringify({ commands }));
    });
    await closeFarm(farm.open(), "7");
    const service = farm.open();
    await service.catchUp(new AbortController().signal);
    expect(farm.asked[1]?.path).toBe("/relay/commands?from=2026-11-22T05%3A59%3A50.000Z");
    expect(service.store.getState()).toMatchObject({
      channels: [{ state: "confirmed" }, { state: "failed", reason: "upstream-down" }],
    });
    service.step({ id: "all-2", state: "confirmed", reason: null });
    await service.catchUp(new AbortController().signal);
    expect(farm.asked).toHaveLength(2);
  });

  it("[RUN-5] shows a close-all without an answer before the answered one, and the reason of a refusal", () => {
    const whole = { farmId: null, farmName: null, valves: [] };
    const entry = { kind: "close-all" as const, id: "j", accountId: "me", at: NOW, ...whole, pressed: null };
    const answered = { ...answerOf("old", "confirmed"), farmId: null, at: NOW };
    expect(closingState(null, null)).toEqual({ state: "none" });
    expect(closingState(null, answered)).toMatchObject({ state: "accepted" });
    expect(closingState(entry, answered)).toEqual({ state: "sending", entry });
    expect(closingState({ ...entry, ended: "forbidden" }, answered)).toMatchObject({
      state: "refused",
      reason: "forbidden",
    });
  });

  it("[RUN-5] keeps its state if the log cannot be read", async () => {
    const farm = createFarm((path, key) =>
      path.includes("close-all") ? accepted(path, key) : new Response("", { status: 503 }),
    );
    const service = farm.open();
    await closeFarm(service, "7");
    const before = service.store.getState();
    await service.catchUp(new AbortController().signal);
    expect(service.store.getState()).toBe(before);
  });
});
