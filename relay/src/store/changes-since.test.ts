import { applyChange, applySnapshotPart, type StateCopy } from "@mulkko/shared/live/apply-change";
import type { Position } from "@mulkko/shared/live/client-messages";
import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import type { Change } from "@mulkko/shared/live/server-messages";
import type { Random } from "@mulkko/shared/rules/clock";
import { seededRandom } from "@mulkko/shared/testing/random";
import { expect, test } from "vitest";
import { applyStep, changesSince, emptyState, type VersionedState } from "./changes-since.ts";
import {
  changeFrame,
  emptyGathering,
  type Gathering,
  gatherDel,
  gatherPatch,
  gatherSet,
  takeGathered,
} from "./gather.ts";
import type { CatchUp, Frame, StateValue } from "./streams.ts";

const step = (state: VersionedState, set: Record<string, StateValue>, del: string[] = [], now = 0): void =>
  applyStep(state, { set: new Map(Object.entries(set)), del }, now);

test("[SUB-3] returns whole values of keys changed after the offset, and keys removed since", () => {
  const state = emptyState("e1");
  step(state, { a: { n: 1 }, b: { n: 1 } });
  step(state, { a: { n: 2 } });
  step(state, { c: { n: 1 } }, ["b"]);
  expect(changesSince(state, { epoch: "e1", offset: 1 })).toEqual({
    kind: "resume",
    epoch: "e1",
    from: 1,
    offset: 3,
    set: { a: { n: 2 }, c: { n: 1 } },
    del: ["b"],
  });
});

test("[SUB-3] returns nothing to a reader that is up to date", () => {
  const state = emptyState("e1");
  step(state, { a: { n: 1 } });
  expect(changesSince(state, { epoch: "e1", offset: 1 })).toMatchObject({ kind: "resume", set: {}, del: [] });
});

test.each([
  ["of no position", undefined],
  ["of another epoch", { epoch: "e0", offset: 1 }],
  ["ahead", { epoch: "e1", offset: 9 }],
])("[SUB-3] returns a snapshot to a reader %s", (_, position) => {
  const state = emptyState("e1");
  step(state, { a: { n: 1 } });
  expect(changesSince(state, position)).toEqual({
    kind: "snapshot",
    epoch: "e1",
    offset: 1,
    state: { a: { n: 1 } },
  });
});

test("[SUB-4] drops tombstones after 24 h and sends a snapshot to older readers", () => {
  const state = emptyState("e1");
  step(state, { a: { n: 1 }, b: { n: 1 } });
  step(state, {}, ["a"], 0);
  step(state, { b: { n: 2 } }, [], LIVE_LIMITS.tombstoneMs + 1);
  expect(changesSince(state, { epoch: "e1", offset: 1 }).kind).toBe("snapshot");
  expect(changesSince(state, { epoch: "e1", offset: 2 })).toMatchObject({ kind: "resume", del: [] });
});

test("[SUB-4] keeps 1,000 tombstones at most", () => {
  const state = emptyState("e1");
  const keys = Array.from({ length: LIVE_LIMITS.tombstones + 1 }, (_, n) => `k${n}`);
  step(state, Object.fromEntries(keys.map((key) => [key, { n: 0 }])));
  for (const key of keys) step(state, {}, [key]);
  expect(state.tombstones.size).toBe(LIVE_LIMITS.tombstones);
  expect(changesSince(state, { epoch: "e1", offset: 1 }).kind).toBe("snapshot");
  expect(changesSince(state, { epoch: "e1", offset: 2 })).toMatchObject({ kind: "resume" });
});

test("[SUB-7] narrows both forms to tracked keys", () => {
  const state = emptyState("e1");
  step(state, { a: { n: 1 }, b: { n: 1 }, c: { n: 1 } });
  step(state, { a: { n: 2 }, b: { n: 2 } }, ["c"]);
  const keys = new Set(["b", "c"]);
  expect(changesSince(state, undefined, keys)).toMatchObject({ kind: "snapshot", state: { b: { n: 2 } } });
  expect(changesSince(state, { epoch: "e1", offset: 1 }, keys)).toMatchObject({
    set: { b: { n: 2 } },
    del: ["c"],
  });
});

/** A client that loses frames, disconnects, resumes from its position, and may track a subset of the keys. */
class Client {
  readonly copy: StateCopy = new Map();
  position: Position | undefined;
  readonly keys: ReadonlySet<string> | undefined;
  online = true;
  constructor(keys: ReadonlySet<string> | undefined) {
    this.keys = keys;
  }
  catchUp(caught: CatchUp): void {
    if (caught.kind === "snapshot") applySnapshotPart(this.copy, 1, caught.state);
    else {
      const { from, offset, set, del } = caught;
      const applied = applyChange(this.copy, this.position?.offset ?? 0, {
        t: "change",
        stream: "devices",
        from,
        offset,
        set,
        del,
      });
      if (!applied.applied) throw new Error(`a catch-up from ${from} does not fit`);
    }
    this.position = { epoch: caught.epoch, offset: caught.offset };
  }
  /** Apply the serialised frame if the client is at its starting position, as a session does. */
  frame(frame: Frame, state: VersionedState): void {
    if (!this.position || this.keys) {
      this.catchUp(changesSince(state, this.position, this.keys));
      return;
    }
    const change: Change = JSON.parse(frame.bytes.toString());
    if (applyChange(this.copy, this.position.offset, change).applied) {
      this.position = { ...this.position, offset: change.offset };
    } else this.catchUp(changesSince(state, this.position, this.keys));
  }
}

const KEYS = ["sensor:1", "sensor:2", "sensor:3", "channel:1", "farm:1", "watering:x"];

function mutate(random: Random, gathering: Gathering): void {
  const key = KEYS[Math.floor(random() * KEYS.length)] ?? "sensor:1";
  const dice = random();
  if (dice < 0.2) gatherDel(gathering, key);
  else if (dice < 0.5)
    gatherSet(gathering, key, { n: Math.floor(random() * 4), at: random() < 0.5 ? "x" : null });
  else gatherPatch(gathering, key, { [random() < 0.5 ? "n" : "m"]: Math.floor(random() * 4) });
}

function run(seed: number): void {
  const random = seededRandom(seed);
  let epoch = 1;
  let state = emptyState("epoch-1");
  let now = 0;
  const gathering = emptyGathering();
  const clients = [new Client(undefined), new Client(undefined), new Client(new Set(KEYS.slice(0, 3)))];
  for (let round = 0; round < 40; round += 1) {
    now += random() < 0.05 ? LIVE_LIMITS.tombstoneMs : 1_000;
    for (let n = 0; n <= random() * 4; n += 1) mutate(random, gathering);
    const gathered = takeGathered(gathering);
    const frame = changeFrame(state.offset, gathered);
    applyStep(state, { set: gathered.whole, del: gathered.del }, now);
    if (random() < 0.04) {
      epoch += 1;
      const before = state;
      state = emptyState(`epoch-${epoch}`);
      for (const [key, { value }] of before.values) state.values.set(key, { value, offset: 0 });
    }
    for (const client of clients) {
      if (random() < 0.15) client.online = !client.online;
      const lost = random() < 0.15;
      if (!client.online || lost) continue;
      if (client.position?.epoch === state.epoch) client.frame(frame, state);
      else client.catchUp(changesSince(state, client.position, client.keys));
    }
  }
  const truth = Object.fromEntries([...state.values].map(([key, { value }]) => [key, value]));
  for (const client of clients) {
    client.catchUp(changesSince(state, client.position, client.keys));
    const wanted = Object.entries(truth).filter(([key]) => client.keys?.has(key) ?? true);
    expect(Object.fromEntries(client.copy), `seed ${seed}`).toEqual(Object.fromEntries(wanted));
  }
}

test("[SUB-3] a client never diverges over 3,000 runs of change, delete, loss, absence, filter and epoch", () => {
  for (let seed = 1; seed <= 3_000; seed += 1) run(seed);
});
