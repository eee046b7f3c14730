import type { LiveEvent } from "@mulkko/shared/live/events";
import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import { eventually } from "@mulkko/shared/testing/eventually";
import { expect, test } from "vitest";
import { anyAlarms, anyIntents, anySettings } from "../../testing/any-documents.ts";
import { PRESENCE } from "../account/device-memory.ts";
import { NOTIFIED } from "../account/notification-handler.ts";
import { WATCHED_SPAN } from "../account/watched-span.ts";
import { put, putDated, putSingle, removed } from "./collections.ts";
import { describeDocuments } from "./documents.suite.ts";
import { describeDurable, type StoreHarness, type WithStore } from "./durable.suite.ts";
import { StaleOwnerError } from "./errors.ts";
import { changeFrame, emptyGathering, gatherSet, takeGathered } from "./gather.ts";
import { SHARDS, shardOf } from "./shard.ts";
import type { StateStep } from "./store.ts";
import type { Frame, StateValue } from "./streams.ts";

/** Create a step as an account's writer does. */
export function stepFrom(
  from: number,
  set: Readonly<Record<string, StateValue>>,
  del: string[] = [],
): StateStep {
  const gathering = emptyGathering();
  for (const [key, value] of Object.entries(set)) gatherSet(gathering, key, value);
  const gathered = { ...takeGathered(gathering), del };
  return { set: gathered.whole, del, frame: changeFrame(from, gathered) };
}

export const flipAt = (at: number, key = "sensor:1"): LiveEvent => ({
  kind: "flip",
  at: new Date(at).toISOString(),
  key,
  online: false,
  last: null,
});

/** Define the contract tests for every store, with any storage (NODE-4). */
export function describeStore(open: () => Promise<StoreHarness>): void {
  const withStore: WithStore = async (use) => {
    const harness = await open();
    try {
      await use(harness);
    } finally {
      await harness.close();
    }
  };
  describeDurable(withStore);
  describeDocuments(withStore);

  test("[NODE-2] a step is applied at the offset that its writer expects, and reaches every copy", () =>
    withStore(async ({ store }) => {
      const account = await store.claim("a1");
      const { devices } = await store.attach("a1");
      const received: Frame[] = [];
      devices.listen((frame) => received.push(frame));
      const step = stepFrom(0, { "sensor:1": { n: 1 } });
      expect(await account.step(step)).toEqual({ kind: "written", offset: 1 });
      expect(received).toEqual([step.frame]);
      expect(devices.changesSince(undefined)).toMatchObject({ offset: 1, state: { "sensor:1": { n: 1 } } });
    }));

  test("[NODE-2] a step from another offset changes nothing, and returns the stream's offset", () =>
    withStore(async ({ store }) => {
      const account = await store.claim("a1");
      const { devices } = await store.attach("a1");
      await account.step(stepFrom(0, { "sensor:1": { n: 1 } }));
      expect(await account.step(stepFrom(5, { "sensor:1": { n: 2 } }))).toEqual({ kind: "moved", offset: 1 });
      expect(devices.changesSince(undefined)).toMatchObject({ state: { "sensor:1": { n: 1 } } });
    }));

  test("[NODE-2] a new epoch begins with the owner's whole copy, and invalidates every position", () =>
    withStore(async ({ store }) => {
      const account = await store.claim("a1");
      const { devices } = await store.attach("a1");
      await account.step(stepFrom(0, { "sensor:1": { n: 1 }, "sensor:2": { n: 1 } }));
      const before = { epoch: devices.epoch, offset: devices.offset };
      await account.beginEpoch(new Map([["sensor:1", { n: 7 }]]));
      expect(devices.epoch).not.toBe(before.epoch);
      expect(devices.changesSince(before)).toMatchObject({
        kind: "snapshot",
        offset: 0,
        state: { "sensor:1": { n: 7 } },
      });
    }));

  test("[NODE-5] a stale owner writes nothing", () =>
    withStore(async ({ store }) => {
      const stale = await store.claim("a1");
      const fresh = await store.claim("a1");
      expect(fresh.fence).toBeGreaterThan(stale.fence);
      const { devices, events } = await store.attach("a1");
      const refused = [
        () => stale.step(stepFrom(0, { "sensor:1": { n: 1 } })),
        () => stale.append(flipAt(0)),
        () => stale.beginEpoch(new Map()),
        () => stale.claimUnit("sensors"),
        () => stale.documents.write([put(PRESENCE, "sensor:1", { gaps: [], offline: false })]),
        () => stale.documents.write([putDated(anyAlarms, "al1", 1, {})]),
        () => stale.documents.write([putSingle(anySettings, { a: 1 })]),
        () => stale.documents.write([putSingle(NOTIFIED, { at: 1, keys: [] })]),
        () => stale.documents.write([putSingle(WATCHED_SPAN, { since: 1, until: 2 })]),
        () => stale.documents.write([put(anyIntents, "channel:1", { want: "open" })]),
        () => stale.documents.write([removed(anyIntents, "channel:1")]),
      ];
      for (const write of refused) await expect(write()).rejects.toBeInstanceOf(StaleOwnerError);
      expect(devices.offset).toBe(0);
      expect(events.offset).toBe(0);
      expect(await fresh.documents.list(anyIntents)).toEqual([]);
      await store.release("a1", stale.fence);
      expect(await fresh.step(stepFrom(0, { "sensor:1": { n: 1 } }))).toMatchObject({ kind: "written" });
    }));

  test("[SUB-4] events keep their epoch, their numbers and their order over a restart", () =>
    withStore(async (harness) => {
      const account = await harness.store.claim("a1");
      for (let n = 0; n < 3; n += 1) await account.append(flipAt(harness.clock.now(), `sensor:${n}`));
      const before = (await harness.store.attach("a1")).events;
      const position = { epoch: before.epoch, offset: 1 };
      await harness.restart();
      const again = await harness.store.claim("a1");
      const { events } = await harness.store.attach("a1");
      expect(events.eventsSince(position, 100)).toMatchObject({
        kind: "resume",
        offset: 3,
        missed: [
          { offset: 2, event: { key: "sensor:1" } },
          { offset: 3, event: { key: "sensor:2" } },
        ],
      });
      expect(await again.append(flipAt(harness.clock.now()))).toMatchObject({ offset: 4 });
    }));

  test("[SUB-4] events are replayed in pages, and kept for 7 days and 1,000 at most", () =>
    withStore(async (harness) => {
      const account = await harness.store.claim("a1");
      const { events } = await harness.store.attach("a1");
      await account.append(flipAt(harness.clock.now()));
      harness.clock.advance(LIVE_LIMITS.eventsKeptMs + 1);
      for (let n = 0; n < LIVE_LIMITS.eventsKept; n += 1) await account.append(flipAt(harness.clock.now()));
      const { epoch } = events;
      const first = events.eventsSince({ epoch, offset: 1 }, LIVE_LIMITS.eventPage);
      expect(first.kind === "resume" && first.missed.map(({ offset }) => offset).at(-1)).toBe(101);
      expect(events.eventsSince({ epoch, offset: 0 }, 100).kind).toBe("snapshot");
      const snapshot = events.eventsSince(undefined, 100);
      expect(snapshot.kind === "snapshot" && snapshot.newest.length).toBe(LIVE_LIMITS.eventSnapshot);
      await harness.restart();
      await harness.store.claim("a1");
      const kept = (await harness.store.attach("a1")).events;
      expect(kept.eventsSince({ epoch, offset: 1 }, 2_000)).toMatchObject({ kind: "resume", offset: 1_001 });
    }));

  test("[POLL-2] a new owner knows when each unit was claimed last", () =>
    withStore(async ({ store, clock }) => {
      const before = await store.claim("a1");
      const start = store.now();
      await before.claimUnit("sensors");
      clock.advance(5_000);
      await before.claimUnit("notifications");
      await before.claimUnit("channel:1");
      clock.advance(5_000);
      await before.claimUnit("channel:1");
      const claims = new Map((await (await store.claim("a1")).claims()).map(({ unit, at }) => [unit, at]));
      expect([...claims.keys()].sort()).toEqual(["channel:1", "notifications", "sensors"]);
      const sensors = claims.get("sensors") ?? Number.NaN;
      expect(sensors).toBeGreaterThanOrEqual(start);
      expect((claims.get("notifications") ?? Number.NaN) - sensors).toBeGreaterThanOrEqual(5_000);
      expect((claims.get("channel:1") ?? Number.NaN) - sensors).toBeGreaterThanOrEqual(10_000);
      expect(await (await store.claim("a2")).claims()).toEqual([]);
    }));

  test("[NODE-5] work for an account reaches its owner, and an answer the node that asked", () =>
    withStore(async ({ store }) => {
      const work: unknown[] = [];
      const received: unknown[] = [];
      const stop = store.inbox.onMessage((accountId, message) => work.push([accountId, message]));
      store.node.onMessage((message, from) => received.push([message, from]));
      await store.inbox.send("a1", { ask: 1 });
      await store.inbox.send("a2", { ask: 2 });
      await store.node.send(store.node.id, { answer: 1 });
      await store.node.send("nobody", { answer: 2 });
      await eventually(() => {
        expect(work).toEqual([
          ["a1", { ask: 1 }],
          ["a2", { ask: 2 }],
        ]);
        expect(received).toEqual([[{ answer: 1 }, store.node.id]]);
      });
      stop();
      await store.inbox.send("a1", { ask: 3 });
      expect(work).toHaveLength(2);
    }));

  test("[NODE-5] a single node owns every shard, until it is drained", () =>
    withStore(async ({ store }) => {
      const owned = new Set<number>();
      const stop = store.shards.onChange((shard, isOwned) => {
        if (isOwned) owned.add(shard);
        else owned.delete(shard);
      });
      expect(owned.size).toBe(SHARDS);
      expect(store.shards.owned()).toBe(SHARDS);
      expect(store.shards.nodes()).toBe(1);
      expect(store.shards.owns(shardOf("a1"))).toBe(true);
      expect(await store.shards.confirm(17)).toBe(true);
      await store.shards.drain();
      expect(owned.size).toBe(0);
      expect(store.shards.owns(shardOf("a1"))).toBe(false);
      expect(await store.shards.confirm(17)).toBe(false);
      stop();
    }));
}
