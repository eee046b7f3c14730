import { startPostgres } from "@mulkko/testing/engines/postgres";
import { startTcpProxy } from "@mulkko/testing/engines/tcp-proxy";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { startTestFarm } from "../../testing/test-farm.ts";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import { DatabaseOwnership } from "./ownership.ts";
import { openPostgres } from "./postgres.ts";

const WAIT = { timeout: 40_000, interval: 20 };
vi.setConfig({ testTimeout: 90_000 });

const server = await startPostgres();
const root = await openPostgres(server.url);
const opened: DatabaseOwnership[] = [];
let count = 0;
let database: Database;
afterEach(async () => {
  await Promise.all(opened.splice(0).map((ownership) => ownership.close()));
  await database.close();
});
afterAll(async () => {
  await root.close();
  await server.stop();
});

async function createDatabase(): Promise<string> {
  count += 1;
  await root.exec(`create database owned_${count}`);
  const url = server.url.replace(/\/postgres$/, `/owned_${count}`);
  database = await openPostgres(url);
  await migrate(database);
  return url;
}

async function own(url: string, onStandBy: (holder: string) => void = () => undefined, beatMs = 50) {
  const ownership = await DatabaseOwnership.acquire(url, { onStandBy, beatMs });
  opened.push(ownership);
  const changes: string[] = [];
  ownership.listen({
    suspended: () => void changes.push("suspended"),
    lost: (holder) => void changes.push(`lost to ${holder}`),
  });
  await ownership.begin(database);
  return { ownership, changes };
}

/** Interval of attempts, ms, at which a test sees the time without the lock also on a busy machine. */
const SLOW_BEAT_MS = 3_000;

/** End the sessions that hold the lock, as a restarted server or a cut connection does. */
const endSessions = () =>
  database.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
     and database = (select oid from pg_database where datname = current_database())`,
  );

test("[KEEP-2] a second owner names the first, waits, and owns the database once the first has ended", async () => {
  const url = await createDatabase();
  const { ownership: first } = await own(url);
  const holders: string[] = [];
  const waiting = own(url, (holder) => void holders.push(holder));
  await vi.waitFor(() => expect(holders).toHaveLength(1), WAIT);
  expect(holders[0]).toMatch(
    new RegExp(`^mulkko-api on .+, process ${process.pid}, [0-9a-f]{6} \\(127.0.0.1\\)$`),
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(first.isOwner()).toBe(true);
  await first.close();
  expect(first.isOwner()).toBe(false);
  const { ownership: second } = await waiting;
  expect(second.isOwner()).toBe(true);
  expect(holders).toHaveLength(1);
});

test("[KEEP-2] an owner whose lock ended writes nothing until it has it again, and goes on", async () => {
  const url = await createDatabase();
  const { ownership, changes } = await own(url, undefined, SLOW_BEAT_MS);
  const owned = await openPostgres(url, { isOwner: () => ownership.isOwner() });
  await endSessions();
  await vi.waitFor(() => expect(changes).toEqual(["suspended"]), WAIT);
  expect(ownership.isOwner()).toBe(false);
  await expect(owned.query("select 1")).rejects.toMatchObject({ code: "not-owner", failure: "away" });
  expect(owned.isUp()).toBe(false);
  await vi.waitFor(() => expect(ownership.isOwner()).toBe(true), WAIT);
  expect(await owned.query("select 1 as one")).toEqual([{ one: 1 }]);
  expect(changes).toEqual(["suspended"]);
  await owned.close();
});

test("[KEEP-2] a transaction that began before its lock ended is not committed", async () => {
  const url = await createDatabase();
  const { ownership } = await own(url, undefined, SLOW_BEAT_MS);
  const owned = await openPostgres(url, { isOwner: () => ownership.isOwner() });
  const work = owned.transaction(async (tx) => {
    await tx.query("insert into setting (key, value) values ('of a test', '')");
    await endSessions();
    await vi.waitFor(() => expect(ownership.isOwner()).toBe(false), WAIT);
  });
  await expect(work).rejects.toMatchObject({ code: "not-owner" });
  expect(await database.query("select 1 from setting where key = 'of a test'")).toEqual([]);
  await owned.close();
});

test("[KEEP-2] an owner whose database was another's in between ends", async () => {
  const url = await createDatabase();
  const { ownership, changes } = await own(url);
  // The other one begins and ends before the first tries again.
  await database.query("update setting set value = '7' where key = 'owner-term'");
  await endSessions();
  await vi.waitFor(() => expect(changes).toEqual(["suspended", "lost to another farm API"]), WAIT);
  expect(ownership.isOwner()).toBe(false);
});

test("[KEEP-2] an owner that is cut off stops before the server gives the database to another", async () => {
  const url = await createDatabase();
  const line = await startTcpProxy(url);
  const far = new URL(url);
  far.port = String(line.port);
  const { ownership: first, changes } = await own(far.href);
  line.swallow();
  const wasOwner: boolean[] = [];
  // Called again if it looks in the moment in which the server frees the lock.
  const { ownership: second } = await own(url, () => void wasOwner.push(first.isOwner()));
  expect([wasOwner[0], first.isOwner()]).toEqual([true, false]);
  expect(second.isOwner()).toBe(true);
  line.pass();
  await vi.waitFor(() => expect(changes.at(-1)).toMatch(/^lost to mulkko-api on /), WAIT);
  await first.close();
  await line.close();
});

test("[KEEP-2] an unreachable server ends the wait of a first start with an error", async () => {
  await createDatabase();
  const nowhere = DatabaseOwnership.acquire("postgres://postgres@127.0.0.1:1/postgres", {
    onStandBy: () => undefined,
  });
  await expect(nowhere).rejects.toMatchObject({ name: "DatabaseError", code: "ECONNREFUSED" });
});

test("[KEEP-2] a second farm API on a database can give up its wait, and prints the same code later", async () => {
  const url = await createDatabase();
  const first = await startTestFarm({ DATABASE_URL: url }, { empty: true });
  const giveUp = (holder: string) => {
    throw new Error(`the database belongs to ${holder}`);
  };
  await expect(startTestFarm({ DATABASE_URL: url }, { empty: true, onStandBy: giveUp })).rejects.toThrow(
    /belongs to mulkko-api on /,
  );
  const { setupCode, installation } = first.app;
  expect(installation).toMatch(/^[0-9a-f]{12}$/);
  await first.close();
  const second = await startTestFarm({ DATABASE_URL: url }, { empty: true });
  expect([second.app.setupCode, second.app.installation]).toEqual([setupCode, installation]);
  await second.close();
});
