import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { contentsAt, download, environmentOf, openPlaces } from "../../testing/places.ts";
import { startTestFarm, type TestFarm } from "../../testing/test-farm.ts";
import { readBackup } from "./read.ts";
import { restore } from "./restore.ts";

/** Imitate a relay: lock its folder, and write to two tables in one synchronous transaction. */
const RELAY = `
  import { DatabaseSync } from "node:sqlite";
  const [folder, rounds] = process.argv.slice(1);
  const lock = new DatabaseSync(folder + "/lock.sqlite");
  lock.exec("begin exclusive");
  const store = new DatabaseSync(folder + "/relay.sqlite");
  store.exec("pragma journal_mode = wal; pragma synchronous = full; create table if not exists accounts (n, text); create table if not exists events (n)");
  const text = "x".repeat(2_000);
  const write = () => {
    store.exec("begin immediate");
    store.prepare("insert into accounts values ((select count(*) from accounts), ?)").run(text);
    store.exec("insert into events select max(n) from accounts; commit");
  };
  for (let n = 0; n < Number(rounds); n += 1) write();
  process.stdout.write("writing");
  setInterval(write, 1);
`;

const places = await openPlaces();
const children: ChildProcess[] = [];
let farm: TestFarm;
beforeAll(async () => {
  farm = await startTestFarm(environmentOf(await places.create("postgres")));
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }
});
afterAll(async () => {
  await farm.close();
  await places.close();
});

/** Start a relay on a folder that already has this many rows. */
async function startRelay(dataDir: string, rounds = 0): Promise<void> {
  const folder = join(dataDir, "relay");
  await mkdir(folder, { recursive: true });
  const child = spawn(process.execPath, ["--input-type=module", "-e", RELAY, folder, String(rounds)]);
  children.push(child);
  await once(child.stdout, "data");
}

function countsIn(file: string): { accounts: number; events: number } {
  const database = new DatabaseSync(file, { readOnly: true });
  const count = (table: string) => Number(database.prepare(`select count(*) as n from ${table}`).get()?.n);
  const counts = { accounts: count("accounts"), events: count("events") };
  database.close();
  return counts;
}

const nothing = async (): Promise<void> => undefined;
const SKIP = { table: nothing, rows: nothing, counters: nothing, file: nothing, relayPiece: nothing };

/** Return the state of the relay in the head of a backup. */
async function relayIn(file: string): Promise<string | undefined> {
  let said: string | undefined;
  await readBackup(file, {
    ...SKIP,
    async head({ relay }) {
      said = relay;
    },
  });
  return said;
}

test("[backup] contains a consistent relay store while a relay writes, and restores it for the next start", async () => {
  await startRelay(farm.folder, 200);
  const file = await download(farm, join(places.root, "with.backup.gz"));
  expect(await relayIn(file)).toBe("kept");
  expect((await readdir(farm.folder)).filter((name) => name.includes("snapshot"))).toEqual([]);
  const place = await places.create("postgres");
  await restore(place, { file, replace: false });
  const { accounts, events } = countsIn(join(place.dataDir, "relay/restored.sqlite"));
  expect(accounts).toBeGreaterThanOrEqual(200);
  expect(events).toBe(accounts);
  expect(existsSync(join(place.dataDir, "restore.new"))).toBe(false);
});

test("[restore] refuses and changes nothing while a relay runs on the folder; continues without the relay's part", async () => {
  const file = join(places.root, "with.backup.gz");
  const place = await places.create("postgres");
  await startRelay(place.dataDir);
  await expect(restore(place, { file, replace: true })).rejects.toThrow(
    /^A relay runs on \S+: stop it first, or add --without-relay/,
  );
  expect(await contentsAt(place)).toEqual({});
  await restore(place, { file, replace: false, withoutRelay: true });
  expect((await contentsAt(place)).account).toHaveLength(3);
  expect(existsSync(join(place.dataDir, "relay/restored.sqlite"))).toBe(false);
});

test("[restore] keeps a relay's stored accounts, unless the operator asks to replace them", async () => {
  const file = join(places.root, "with.backup.gz");
  const place = await places.create("postgres");
  const folder = join(place.dataDir, "relay");
  await mkdir(folder);
  const store = new DatabaseSync(join(folder, "relay.sqlite"));
  store.exec("create table accounts (n); insert into accounts values (1)");
  store.close();
  await expect(restore(place, { file, replace: false })).rejects.toThrow(
    /remembers accounts, which with\.backup\.gz would replace/,
  );
  expect(await contentsAt(place)).toEqual({});
  await restore(place, { file, replace: true });
  expect(countsIn(join(folder, "restored.sqlite")).accounts).toBeGreaterThanOrEqual(200);
});

test("[backup] states that it has no relay store where no relay keeps one here, or where it is in Redis", async () => {
  const place = await places.create("postgres");
  const redis = await startTestFarm({ ...environmentOf(place), REDIS_URL: "redis://127.0.0.1:1" });
  await startRelay(redis.folder, 1);
  const file = await download(redis, join(places.root, "redis.backup.gz"));
  expect(await relayIn(file)).toBe("redis");
  await redis.close();
  const empty = await places.create("postgres");
  await restore(empty, { file, replace: false });
  expect(existsSync(join(empty.dataDir, "relay"))).toBe(false);
  const alone = await startTestFarm(environmentOf(await places.create("postgres")));
  expect(await relayIn(await download(alone, join(places.root, "alone.backup.gz")))).toBe("none");
  await alone.close();
});

test("[backup] fails rather than leave out an unreadable store", async () => {
  const alone = await startTestFarm(environmentOf(await places.create("postgres")));
  await mkdir(join(alone.folder, "relay"));
  await writeFile(
    join(alone.folder, "relay/relay.sqlite"),
    "no database at all, and long enough to be read as one",
  );
  await expect(download(alone, join(places.root, "never.gz"))).rejects.toThrow(/"status":500/);
  expect((await readdir(alone.folder)).filter((name) => name.includes("snapshot"))).toEqual([]);
  await alone.close();
});
