import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { afterEach, describe, expect, test } from "vitest";
import { createFakeTimers, type FakeTimers } from "../../testing/fake-timers.ts";
import { describeStore, flipAt, stepFrom } from "../contract.suite.ts";
import { NewerSchemaError, StoreUnavailableError } from "../errors.ts";
import type { Store } from "../store.ts";
import type { StoreRig } from "../store-rig.ts";
import { createEmbeddedStore } from "./embedded-store.ts";
import { SCHEMA } from "./schema.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

interface Rig extends StoreRig {
  readonly file: string;
  readonly timers: FakeTimers;
  readonly errors: unknown[];
  /** Opens the file again after the store was closed. */
  reopen(): Store;
}

async function open(): Promise<Rig> {
  const folder = await mkdtemp(join(tmpdir(), "mulkko-store-"));
  folders.push(folder);
  const file = join(folder, "relay.sqlite");
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const errors: unknown[] = [];
  let epochs = 0;
  const start = () => {
    const store = createEmbeddedStore({
      file,
      clock,
      timers,
      newEpoch: () => `epoch-${epochs++}`,
      onError: (error) => errors.push(error),
    });
    timers.advance(1);
    return store;
  };
  let store = start();
  return {
    file,
    clock,
    timers,
    errors,
    get store() {
      return store;
    },
    reopen() {
      store = start();
      return store;
    },
    async restart() {
      await store.close();
      store = start();
    },
    close: () => store.close(),
  };
}

describe("the contract of stores", () => describeStore(open));

test("[NODE-6] a file of a newer version is refused with a sentence, and left as it is", async () => {
  const rig = await open();
  const database = new DatabaseSync(rig.file);
  database.exec(`PRAGMA user_version = ${SCHEMA + 1}`);
  await expect(rig.restart).rejects.toThrow(NewerSchemaError);
  expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: SCHEMA + 1 });
  database.close();
});

test("[NODE-6] a file of schema 1 is brought up to date, and keeps what it holds", async () => {
  const rig = await open();
  await (await rig.store.claim("a1")).valves.write({
    intents: [{ channelKey: "channel:1", intent: { want: "open" } }],
  });
  await rig.store.close();
  const old = new DatabaseSync(rig.file);
  for (const table of ["alarms", "settings", "sessions", "displays", "display_codes"]) {
    old.exec(`DROP TABLE ${table}`);
  }
  old.exec("PRAGMA user_version = 1");
  old.close();
  const store = rig.reopen();
  const account = await store.claim("a1");
  expect(await account.valves.intents()).toEqual([{ channelKey: "channel:1", intent: { want: "open" } }]);
  await account.alarms.write([{ id: "al1", at: 1, alarm: { active: true } }]);
  expect(await account.alarms.all()).toHaveLength(1);
  await rig.close();
});

test("[NODE-4] with a disk that refuses, readings flow, events are heard, and intents are refused", async () => {
  const rig = await open();
  const said: boolean[] = [];
  rig.store.onAvailable((available) => said.push(available));
  const account = await rig.store.claim("a1");
  const other = new DatabaseSync(rig.file, { timeout: 0 });
  other.exec("BEGIN IMMEDIATE");
  const { events } = await rig.store.attach("a1");
  const heard: number[] = [];
  events.listen((frame) => heard.push(frame.offset));
  const intent = { intents: [{ channelKey: "channel:1", intent: { want: "open" } }] };
  await expect(account.valves.write(intent)).rejects.toBeInstanceOf(StoreUnavailableError);
  expect(rig.store.available).toBe(false);
  expect(await account.step(stepFrom(0, { "sensor:1": { n: 1 } }))).toMatchObject({ kind: "written" });
  await account.append(flipAt(rig.clock.now()));
  expect(heard).toEqual([1]);
  other.exec("ROLLBACK");
  other.close();
  rig.timers.advance(10_000);
  expect(said).toEqual([false, true]);
  await account.append(flipAt(rig.clock.now(), "sensor:2"));
  const { epoch } = events;
  await rig.restart();
  await rig.store.claim("a1");
  const again = (await rig.store.attach("a1")).events.eventsSince({ epoch, offset: 0 }, 100);
  expect(again.kind === "resume" && again.missed.map(({ offset }) => offset)).toEqual([1, 2]);
  await rig.close();
});

test("[ingest] a column that holds no JSON is nothing, and its neighbours are read", async () => {
  const rig = await open();
  const account = await rig.store.claim("a1");
  await account.keepPresence([
    { key: "sensor:1", gaps: [1], offline: false },
    { key: "sensor:2", gaps: [2], offline: false },
  ]);
  const other = new DatabaseSync(rig.file);
  other.exec("UPDATE presence SET kept = '{' WHERE key = 'sensor:1'");
  other.close();
  expect(await account.presence()).toEqual([{ key: "sensor:2", gaps: [2], offline: false }]);
  await rig.close();
});
