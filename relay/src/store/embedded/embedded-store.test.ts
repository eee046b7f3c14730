import { statSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers, type FakeTimers } from "@mulkko/shared/testing/fake-timers";
import { afterEach, describe, expect, test } from "vitest";
import { anyAlarms, anyIntents, listed } from "../../../testing/any-documents.ts";
import { createFakeSchedule, type FakeSchedule } from "../../../testing/fake-schedule.ts";
import { PRESENCE } from "../../account/device-memory.ts";
import { JOB_TIMES } from "../../runtime/schedule.ts";
import { put, putDated } from "../collections.ts";
import { describeStore, flipAt, stepFrom } from "../contract.suite.ts";
import type { StoreHarness } from "../durable.suite.ts";
import { DamagedStoreError, NewerSchemaError, StoreUnavailableError } from "../errors.ts";
import type { Store } from "../store.ts";
import { orDamaged, SCHEMA } from "./durable.ts";
import { createEmbeddedStore } from "./embedded-store.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

interface Harness extends StoreHarness {
  readonly file: string;
  readonly timers: FakeTimers;
  readonly schedule: FakeSchedule;
  readonly errors: unknown[];
  /** Open the file again after the store was closed. */
  reopen(): Store;
}

async function open(): Promise<Harness> {
  const folder = await mkdtemp(join(tmpdir(), "mulkko-store-"));
  folders.push(folder);
  const file = join(folder, "relay.sqlite");
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const schedule = createFakeSchedule();
  const errors: unknown[] = [];
  let epochs = 0;
  const start = () => {
    const store = createEmbeddedStore({
      file,
      clock,
      timers,
      schedule,
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
    schedule,
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

test("[NODE-6] refuses a file of a newer version with an explanation, and leaves it unchanged", async () => {
  const harness = await open();
  const database = new DatabaseSync(harness.file);
  database.exec(`PRAGMA user_version = ${SCHEMA + 1}`);
  await expect(harness.restart).rejects.toThrow(NewerSchemaError);
  expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: SCHEMA + 1 });
  database.close();
});

test("[NODE-6] updates a file of schema 1, and keeps its content", async () => {
  const harness = await open();
  const opened = put(anyIntents, "channel:1", { want: "open" });
  await (await harness.store.claim("a1")).documents.write([opened]);
  await harness.store.close();
  const old = new DatabaseSync(harness.file);
  for (const table of ["alarms", "settings", "sessions", "displays", "display_codes", "watched_spans"]) {
    old.exec(`DROP TABLE ${table}`);
  }
  old.exec("PRAGMA user_version = 1");
  old.close();
  const store = harness.reopen();
  const { documents } = await store.claim("a1");
  expect(await listed(documents, anyIntents)).toEqual([["channel:1", { want: "open" }]]);
  await documents.write([putDated(anyAlarms, "al1", 1, { active: true })]);
  expect(await documents.list(anyAlarms)).toHaveLength(1);
  await harness.close();
});

test("[SUB-4] deletes expired events every hour by the clock", async () => {
  const harness = await open();
  const account = await harness.store.claim("a1");
  await account.append(flipAt(harness.clock.now()));
  const rows = (): unknown => {
    const database = new DatabaseSync(harness.file, { readOnly: true });
    const { count } = database.prepare("SELECT count(*) AS count FROM events").get() ?? {};
    database.close();
    return count;
  };
  await harness.schedule.strike(JOB_TIMES.store);
  expect(rows()).toBe(1);
  harness.clock.advance(LIVE_LIMITS.eventsKeptMs + 1);
  await harness.schedule.strike(JOB_TIMES.store);
  expect(rows()).toBe(0);
  await harness.store.close();
  // A closed store leaves no job.
  await harness.schedule.strike(JOB_TIMES.store);
  expect(harness.errors).toEqual([]);
});

test("[NODE-4] is available again only after a write to the disk", async () => {
  const harness = await open();
  const account = await harness.store.claim("a1");
  const opened = put(anyIntents, "channel:1", { want: "open" });
  const other = new DatabaseSync(harness.file, { timeout: 0 });
  other.exec("BEGIN IMMEDIATE");
  await expect(account.documents.write([opened])).rejects.toBeInstanceOf(StoreUnavailableError);
  other.exec("ROLLBACK");
  other.close();
  const written = (): number => statSync(`${harness.file}-wal`).size;
  const before = written();
  // No such account: nothing is written, which works on a full disk as well.
  await harness.store.unwatchAccount("unknown");
  expect([harness.store.available, written()]).toEqual([false, before]);
  harness.timers.advance(10_000);
  expect(harness.store.available).toBe(true);
  expect(written()).toBeGreaterThan(before);
  await harness.close();
});

test("[NODE-4] with a failing disk it delivers readings and events, and refuses intents", async () => {
  const harness = await open();
  const said: boolean[] = [];
  harness.store.onAvailable((available) => said.push(available));
  const account = await harness.store.claim("a1");
  const other = new DatabaseSync(harness.file, { timeout: 0 });
  other.exec("BEGIN IMMEDIATE");
  const { events } = await harness.store.attach("a1");
  const received: number[] = [];
  events.listen((frame) => received.push(frame.offset));
  const opened = put(anyIntents, "channel:1", { want: "open" });
  await expect(account.documents.write([opened])).rejects.toBeInstanceOf(StoreUnavailableError);
  expect(harness.store.available).toBe(false);
  expect(await account.step(stepFrom(0, { "sensor:1": { n: 1 } }))).toMatchObject({ kind: "written" });
  await account.append(flipAt(harness.clock.now()));
  expect(received).toEqual([1]);
  other.exec("ROLLBACK");
  other.close();
  harness.timers.advance(10_000);
  expect(said).toEqual([false, true]);
  await account.append(flipAt(harness.clock.now(), "sensor:2"));
  const { epoch } = events;
  await harness.restart();
  await harness.store.claim("a1");
  const again = (await harness.store.attach("a1")).events.eventsSince({ epoch, offset: 0 }, 100);
  expect(again.kind === "resume" && again.missed.map(({ offset }) => offset)).toEqual([1, 2]);
  await harness.close();
});

test("[ingest] ignores a column without valid JSON, and reads its neighbours", async () => {
  const harness = await open();
  const { documents } = await harness.store.claim("a1");
  await documents.write([
    put(PRESENCE, "sensor:1", { gaps: [1], offline: false }),
    put(PRESENCE, "sensor:2", { gaps: [2], offline: false }),
  ]);
  const other = new DatabaseSync(harness.file);
  other.exec("UPDATE presence SET kept = '{' WHERE key = 'sensor:1'");
  other.close();
  expect(await listed(documents, PRESENCE)).toEqual([["sensor:2", { gaps: [2], offline: false }]]);
  await harness.close();
});

const PAGE_BYTES = 4_096;

const DAMAGE: Readonly<Record<string, (file: string) => Promise<unknown>>> = {
  garbage: (file) =>
    writeFile(file, Buffer.from(Array.from({ length: 40_000 }, (_, at) => (at * 7_919) % 251))),
  "zeros after its first page": (file) => truncate(file, PAGE_BYTES).then(() => truncate(file, 16_384)),
  "garbage between good pages": async (file) => {
    const bytes = await readFile(file);
    await writeFile(file, bytes.fill(0xa5, 2 * PAGE_BYTES, bytes.length - PAGE_BYTES));
  },
  "only half a page": (file) => truncate(file, 2_000),
  "a folder in its place": (file) => rm(file).then(() => mkdir(file)),
};

test.each(Object.keys(DAMAGE))(
  "[store] a file with %s ends with a sentence that names it and the way back",
  async (name) => {
    const harness = await open();
    const { file } = harness;
    await harness.store.close();
    await DAMAGE[name]?.(file);
    const again = () => orDamaged(file, () => harness.reopen());
    expect(again).toThrow(DamagedStoreError);
    expect(again).toThrow(`The relay's store ${file} cannot be read (`);
    expect(again).toThrow("restore a backup that has it");
  },
);
