import { copyFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  anyCommands,
  anyIntents,
  anyWaterings,
  found,
  foundSince,
  listed,
} from "../../../testing/any-documents.ts";
import { createFakeSchedule } from "../../../testing/fake-schedule.ts";
import { put, putDated } from "../collections.ts";
import { flipAt } from "../contract.suite.ts";
import { NewerSchemaError } from "../errors.ts";
import type { Store } from "../store.ts";
import { SCHEMA } from "./durable.ts";
import { createEmbeddedStore } from "./embedded-store.ts";

let folder: string;
let epochs = 0;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mulkko-restored-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const clock = createFakeClock();
function open(): Store {
  return createEmbeddedStore({
    file: join(folder, "relay.sqlite"),
    clock,
    timers: createFakeTimers(clock),
    schedule: createFakeSchedule(),
    newEpoch: () => `epoch-${epochs++}`,
    onError: (error) => {
      throw error;
    },
  });
}

/** Create a store with an account's content as a backup copies it, beside one that changed since. */
async function restoreBeside(): Promise<{ epoch: string }> {
  const before = open();
  const account = await before.claim("a1");
  await before.watchAccount("a1");
  await account.append(flipAt(clock.now()));
  await account.documents.write([
    put(anyIntents, "channel:1", { want: "closed" }),
    putDated(anyCommands, "c1", clock.now(), { state: "requested" }),
    putDated(anyWaterings, "w1", clock.now(), { id: "w1" }),
  ]);
  const { epoch } = (await before.attach("a1")).events;
  await before.close();
  await copyFile(join(folder, "relay.sqlite"), join(folder, "copy"));
  const since = open();
  const later = await since.claim("a1");
  await later.append(flipAt(clock.now(), "sensor:later"));
  await later.documents.write([put(anyIntents, "channel:2", { want: "open" })]);
  await since.close();
  await copyFile(join(folder, "copy"), join(folder, "restored.sqlite"));
  return { epoch };
}

test("[NODE-6] a restored store replaces the relay's, with all of its content", async () => {
  await restoreBeside();
  const store = open();
  expect(await store.watchedAccounts()).toEqual(["a1"]);
  const { documents } = await store.claim("a1");
  expect(await listed(documents, anyIntents)).toEqual([["channel:1", { want: "closed" }]]);
  expect(await found(documents, anyCommands, "c1")).toEqual({ state: "requested" });
  expect(await foundSince(documents, anyWaterings, 0)).toEqual([{ id: "w1" }]);
  await store.close();
  expect(await readdir(folder)).not.toContain("restored.sqlite");
  const again = open();
  expect(await (await again.claim("a1")).documents.list(anyIntents)).toHaveLength(1);
  await again.close();
});

test("[SUB-3] the events of a restored store get a new epoch: a screen with later ones starts again", async () => {
  const { epoch } = await restoreBeside();
  const store = open();
  const { events } = await store.attach("a1");
  expect(events.offset).toBe(1);
  expect(events.epoch).not.toBe(epoch);
  await store.close();
});

test("[NODE-6] refuses a restored store of a newer version with an explanation, and leaves both unchanged", async () => {
  await restoreBeside();
  const database = new DatabaseSync(join(folder, "restored.sqlite"));
  database.exec(`PRAGMA user_version = ${SCHEMA + 1}`);
  database.close();
  expect(open).toThrow(NewerSchemaError);
  expect(await readdir(folder)).toEqual(expect.arrayContaining(["relay.sqlite", "restored.sqlite"]));
});
