import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startFullFarm } from "../../testing/full-farm.ts";
import {
  contentsAt,
  contentsOf,
  download,
  environmentOf,
  openPlace,
  openPlaces,
} from "../../testing/places.ts";
import { FARMER, SOIL, startTestFarm, type TestFarm } from "../../testing/test-farm.ts";
import { type Database, DatabaseError } from "../database/database.ts";
import { knownMigrations, migrate } from "../database/migrate.ts";
import { readTables } from "./catalogue.ts";
import { BackupError } from "./format.ts";
import { restore } from "./restore.ts";
import { makeSchema } from "./schema.ts";
import { createGzipSink, writeBackup } from "./write.ts";

// These tests open PGlite several times, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const places = await openPlaces();
afterAll(() => places.close());

describe("[restore]", () => {
  let farm: TestFarm;
  let file: string;
  beforeAll(async () => {
    // PGlite would produce the same file, but more slowly.
    farm = await startFullFarm(environmentOf(await places.create("postgres")));
    file = await download(farm, join(places.root, "whole.backup.gz"));
  });
  afterAll(() => farm.close());

  /**
   * Restore changed bytes into a marked database and return the reason for the refusal. The mark must remain
   * the only content.
   */
  async function refusalOf(bytes: Buffer | null, kind: Database["kind"] = "postgres"): Promise<string> {
    const place = await places.create(kind);
    const path = bytes ? join(places.root, "changed.backup.gz") : join(places.root, "none");
    if (bytes) await writeFile(path, bytes);
    const said = await restore(place, { file: path, replace: false }).then(
      () => "restored",
      (error: unknown) => (error instanceof BackupError ? error.message : `unexpected: ${String(error)}`),
    );
    expect(await contentsAt(place)).toEqual({});
    expect((await readdir(place.dataDir)).filter((name) => !/^(pgdata|lock)/.test(name))).toEqual([]);
    return said.replaceAll(places.root, "");
  }
  const repacked = async (change: (text: string) => string): Promise<Buffer> =>
    gzipSync(change(gunzipSync(await readFile(file)).toString()));

  test("[restore] users of a restored farm sign in with their previous passwords", async () => {
    const place = await places.create("postgres");
    await restore(place, { file, replace: false });
    const again = await startTestFarm(environmentOf(place), { empty: true });
    const { pair, authorization } = await again.signIn("farmer-one");
    expect(pair.accessToken).toBeTruthy();
    const old = await farm.signIn("farmer-one");
    const list = (token: string) =>
      again.app.inject({ url: "/api/v1/sensor/list", headers: { authorization: token } });
    expect((await list(authorization)).json()).toHaveLength(3);
    expect((await list(old.authorization)).statusCode).toBe(401);
    await again.close();
  });

  test("[restore] refuses a file truncated anywhere, and changes nothing", async () => {
    const whole = await readFile(file);
    const lines = gunzipSync(whole).toString().split("\n");
    for (const part of [0.2, 0.6, 0.999]) {
      const said = await refusalOf(whole.subarray(0, Math.floor(whole.length * part)));
      expect(said).toMatch(/^The backup \S+ is cut off: its end is missing\.$/);
    }
    const packed = gzipSync(`${lines.slice(0, -2).join("\n")}\n`);
    expect(await refusalOf(packed)).toMatch(/is cut off: its end is missing/);
    expect(await refusalOf(gzipSync(lines.slice(0, 3).join("\n")))).toMatch(/its last line has no end/);
    expect(await refusalOf(null)).toMatch(/^There is no file \S+\.$/);
    expect(await refusalOf(Buffer.from("no gzip at all"))).toMatch(/is damaged or not a backup/);
    expect(await refusalOf(gzipSync("a,b\n1,2\n"))).toMatch(/is not a backup of Mulkko/);
    expect(await refusalOf(gzipSync('{"format":"other"}\n'))).toMatch(/is not a backup of Mulkko/);
  });

  test("[restore] refuses a file with one changed byte, compressed or not", async () => {
    const whole = await readFile(file);
    for (const part of [0.1, 0.5, 0.9]) {
      const flipped = Buffer.from(whole);
      const at = Math.floor(whole.length * part);
      flipped[at] = (flipped[at] ?? 0) ^ 0x10;
      expect(await refusalOf(flipped)).toMatch(/is damaged|is cut off/);
    }
    expect(await refusalOf(await repacked((text) => text.replace("farmer-one", "farmer-won")))).toMatch(
      /is damaged: its checksum is wrong/,
    );
  });

  test("[restore] refuses another format, a newer schema, and files outside their folders", async () => {
    const other = await repacked((text) => text.replace('"version":2', '"version":3'));
    expect(await refusalOf(other)).toMatch(/has format 3, but this version reads up to 2/);
    const newer = await repacked((text) => text.replace(/"schema":\d+/, '"schema":9000'));
    expect(await refusalOf(newer, "pglite")).toMatch(/has schema 9000, but this version knows \d+ at most/);
    const tricky = await repacked((text) => text.replace('"file":"images/', '"file":"images/../'));
    expect(await refusalOf(tricky)).toMatch(/is damaged/);
    const sly = await repacked((text) => text.replace(/FOR VALUES FROM/, "DEFAULT; drop table account; --"));
    expect(await refusalOf(sly)).toMatch(/is damaged/);
  });

  test("[restore] on postgres keeps a farm with accounts, unless the operator asks to replace it", async () => {
    const place = await places.create("postgres");
    await restore(place, { file, replace: false });
    const database = await openPlace(place);
    await database.query("update account set nickname = 'mine'");
    await database.query(
      "insert into session (id, account_id, created_at) select gen_random_uuid(), id, now() from account",
    );
    const mine = await contentsOf(database);
    await database.close();
    await expect(restore(place, { file, replace: false })).rejects.toThrow(
      /^The database has 3 accounts: whole\.backup\.gz would replace them/,
    );
    expect(await contentsAt(place)).toEqual(mine);
    await restore(place, { file, replace: true });
    const after = await openPlace(place);
    const theirs = await contentsOf(after);
    expect(theirs.account?.some((row) => row.includes('"mine"'))).toBe(false);
    expect(theirs.reading).toEqual(mine.reading);
    expect(await after.query("select * from session")).toEqual([]);
    await after.close();
  });

  test("[restore] keeps the previous content when it fails halfway", async () => {
    const place = await places.create("postgres");
    await restore(place, { file, replace: false });
    const mine = await contentsAt(place);
    // The hash is right, but the database refuses the rows: its constraints are the last check.
    const bad = await repacked((text) => {
      const lines = text.split("\n");
      const end = JSON.parse(lines.at(-2) ?? "");
      const body = `${lines.slice(0, -2).join("\n")}\n`.replaceAll('"BATTERY"', '"NOSUCH"');
      end.sha256 = createHash("sha256").update(body).digest("hex");
      return `${body}${JSON.stringify(end)}\n`;
    });
    const path = join(places.root, "bad.backup.gz");
    await writeFile(path, bad);
    await expect(restore(place, { file: path, replace: true })).rejects.toThrow(DatabaseError);
    expect(await contentsAt(place)).toEqual(mine);
  });

  test("[restore] waits for a connection that is just closing", async () => {
    const place = await places.create("postgres");
    const database = await openPlace(place);
    const closed = wait(500).then(() => database.close());
    await restore(place, { file, replace: true });
    await closed;
    expect((await contentsAt(place)).account?.length).toBeGreaterThan(0);
  });

  test("[restore] refuses a database that is in use or belongs to another program", async () => {
    const place = await places.create("postgres");
    const database = await openPlace(place);
    await expect(restore(place, { file, replace: true })).rejects.toThrow(/in use by 1 other connections/);
    await database.exec("create table theirs (id int)");
    await database.close();
    await expect(restore(place, { file, replace: true })).rejects.toThrow(
      /contains tables that are not Mulkko's \(theirs\)/,
    );
    await expect(restore({ url: undefined, dataDir: farm.folder }, { file, replace: true })).rejects.toThrow(
      /is in use by process/,
    );
  });

  test.each(["pglite", "postgres"] as const)(
    "[restore] on %s brings an older schema up to the newest, and replaces existing data only with --replace",
    async (kind) => {
      const old = await openPlace(await places.create("postgres"));
      const { sink, stream } = createGzipSink();
      const packed = buffer(stream);
      await old.transaction(async (tx) => {
        await makeSchema(tx, 3);
        await tx.query(
          "insert into account (id, username, password_hash, user_type, created_at) values ($1, 'old', '', 'ADMIN', now())",
          [FARMER],
        );
        await tx.query(
          "insert into device (id, serial, kind, account_id, key_hash, created_at) values ($1, 1, 'sensor', $2, '', now())",
          [SOIL.id, FARMER],
        );
        await tx.query("insert into sensor (id, device_type) values ($1, 'SMS')", [SOIL.id]);
        await tx.query(
          "insert into reading (sensor_id, at, received_at, moisture) values ($1, '2026-01-31', now(), 1), ($1, '2026-02-01', now(), 2)",
          [SOIL.id],
        );
        const own = await readTables(tx);
        await writeBackup(tx, sink, { dataDir: places.root, now: 0, engine: "postgres", relay: "none", own });
      });
      stream.end();
      await old.close();
      const path = join(places.root, "old.backup.gz");
      await writeFile(path, await packed);
      const place = await places.create(kind);
      expect((await restore(place, { file: path, replace: false })).head.schema).toBe(3);
      const database = await openPlace(place);
      const newest = (await knownMigrations()).at(-1)?.number;
      expect(await migrate(database)).toBe(newest);
      expect(await database.query("select max(number) as schema from schema_migration")).toEqual([
        { schema: newest },
      ]);
      expect(await database.query("select moisture from reading order by at")).toEqual([
        { moisture: 1 },
        { moisture: 2 },
      ]);
      await database.close();
      await expect(restore(place, { file, replace: false })).rejects.toThrow(/^The database has 1 accounts/);
      await restore(place, { file, replace: true });
      expect((await contentsAt(place)).account).toHaveLength(3);
    },
  );
});
