import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startFullFarm } from "../../testing/full-farm.ts";
import {
  type Contents,
  contentsOf,
  download,
  environmentOf,
  openPlace,
  openPlaces,
} from "../../testing/places.ts";
import { SOIL, startTestFarm, type TestFarm } from "../../testing/test-farm.ts";
import type { Database, Queryable } from "../database/database.ts";
import { storeReadings } from "../ingest/reading-store.ts";
import { readTables } from "./catalogue.ts";
import { restore } from "./restore.ts";
import { openSnapshot } from "./snapshot.ts";
import { writeBackup } from "./write.ts";

// These tests open PGlite several times, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const places = await openPlaces();
afterAll(() => places.close());
const OTHER = { pglite: "postgres", postgres: "pglite" } as const;

/** All tests share the farm on PGlite, because filling one is slow. */
let farm: TestFarm;
let file: string;
beforeAll(async () => {
  farm = await startFullFarm();
  file = await download(farm, join(places.root, "pglite.backup.gz"));
});
afterAll(() => farm.close());

describe.each(["pglite", "postgres"] as const)("[backup] from %s", (kind) => {
  let source: TestFarm;
  let packed: string;
  let before: Contents;

  beforeAll(async () => {
    source = farm;
    packed = file;
    if (kind === "postgres") {
      source = await startFullFarm(environmentOf(await places.create(kind)));
      packed = await download(source, join(places.root, "postgres.backup.gz"));
    }
    before = await contentsOf(source.app.database);
  });
  afterAll(async () => {
    if (kind === "postgres") await source.close();
  });

  test("[backup] the farm of this test has rows in every table", () => {
    expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);
    expect(before.reading).toHaveLength(1_500);
  });

  test.each([OTHER[kind], kind])(
    "[restore] into %s brings every row of every table and the files, and continues the numbering",
    async (into) => {
      const place = await places.create(into);
      const { head, end } = await restore(place, { file: packed, replace: false });
      expect(head.engine).toBe(kind);
      expect(end).toMatchObject({ files: 2, rows: { reading: 1_500, dead_letter: 2 } });
      for (const name of await readdir(join(source.folder, "images"))) {
        const copy = await readFile(join(place.dataDir, "images", name));
        expect(copy.equals(await readFile(join(source.folder, "images", name)))).toBe(true);
      }
      expect((await readdir(place.dataDir)).filter((name) => /new|snapshot/.test(name))).toEqual([]);

      const database = await openPlace(place);
      expect(await contentsOf(database)).toEqual(before);
      const add = `insert into dead_letter (at, topic, reason, payload) values (now(), '', '', '') returning id`;
      // The third row was deleted: its number is not reused.
      expect(await database.query(add)).toEqual([{ id: 4 }]);
      const partsOf = async (one: Database) =>
        (await readTables(one)).find(({ name }) => name === "reading")?.partitions;
      expect(await partsOf(database)).toEqual(await partsOf(source.app.database));
      await database.close();
    },
  );
});

describe("[backup]", () => {
  test("[backup] allows administrators only", async () => {
    const ask = async (who: string) => {
      const { authorization } = await farm.signIn(who);
      return farm.app.inject({ url: "/api/v1/admin/backup", headers: { authorization } });
    };
    expect((await ask("farmer-one")).statusCode).toBe(403);
    expect((await farm.app.inject({ url: "/api/v1/admin/backup" })).statusCode).toBe(401);
  });

  test("[backup] names its content, without sessions and the token secret", async () => {
    const text = gunzipSync(await readFile(file)).toString();
    const [secret] = await farm.app.database.query<{ value: string }>(
      "select value from setting where key = 'token-secret'",
    );
    expect(text.startsWith('{"format":"mulkko-backup","version":2,"schema":')).toBe(true);
    expect(text).not.toContain(secret?.value);
    expect(text).not.toMatch(/"table":"(session|refresh_token|schema_migration)"/);
    expect(text).toContain("$argon2id$");
  });

  test("[backup] records in the audit who made it", async () => {
    const entries = await farm.app.database.query(
      "select action, actor_name from audit where subject_kind = 'farm-api'",
    );
    expect(entries).toEqual([{ action: "backup-download", actor_name: "overseer" }]);
  });

  test("[backup] allows one at a time; an aborted download frees the slot and leaves no files", async () => {
    const { authorization } = await farm.signIn("overseer");
    const ask = () => farm.app.inject({ url: "/api/v1/admin/backup", headers: { authorization } });
    await farm.app.listen({ port: 0, host: "127.0.0.1" });
    const address = farm.app.server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const leaving = new AbortController();
    const answers = await Promise.all(
      [1, 2].map(() =>
        fetch(`http://127.0.0.1:${port}/api/v1/admin/backup`, {
          headers: { authorization },
          signal: leaving.signal,
        }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const taken = answers.find(({ status }) => status === 200)?.headers;
    expect(taken?.get("content-type")).toBe("application/gzip");
    expect(taken?.get("content-disposition")).toMatch(/^attachment; filename="mulkko-[-\dT]+Z\.backup\.gz"$/);
    leaving.abort();
    await expect.poll(async () => (await ask()).statusCode, { timeout: 20_000 }).toBe(200);
    expect((await readdir(farm.folder)).filter((name) => name.includes("snapshot"))).toEqual([]);
  });

  /** Insert a reading of any month. */
  const add = (database: Database, at: number) =>
    storeReadings(database, [
      { sensorId: SOIL.id, at, receivedAt: at, fwversion: null, rssi: null, fields: { moisture: 1 } },
    ]);
  /** Expect that a backup does not block readings, even of a new month, and does not contain them. */
  async function expectToStand(tx: Queryable, { app, folder }: TestFarm): Promise<void> {
    const { database } = app;
    const rowsNow = async () => {
      let text = "";
      const sink = {
        async write(part: string) {
          text = part;
        },
      };
      const own = await readTables(tx);
      await writeBackup(tx, sink, { dataDir: folder, now: 0, engine: database.kind, relay: "none", own });
      return JSON.parse(text).rows;
    };
    const before = await rowsNow();
    for (let n = 0; n < 20; n += 1)
      expect(await add(database, Date.UTC(2031, 0, 1) + n * 1_000)).toHaveLength(1);
    expect(await rowsNow()).toEqual(before);
  }

  test("[backup] on pglite a snapshot taken under load is consistent: no partial batch, and nothing later", async () => {
    const { database } = farm.app;
    let goesOn = true;
    let batches = 0;
    const load = async (): Promise<void> => {
      while (goesOn) {
        const begin = Date.UTC(2020, 0, 1) + batches * 3_600_000;
        const batch = Array.from({ length: 50 }, (_, n) => ({
          sensorId: SOIL.id,
          at: begin + n * 1_000,
          receivedAt: begin,
          fwversion: null,
          rssi: null,
          fields: { moisture: n },
        }));
        await storeReadings(database, batch);
        batches += 1;
      }
    };
    const loading = load();
    const snapshot = await openSnapshot(database, { url: undefined, dataDir: farm.folder });
    goesOn = false;
    await loading;
    await snapshot.read(async (tx) => {
      const counts = await tx.query<{ count: number }>(
        "select count(*) as count from reading where at < '2021-01-01' group by date_trunc('hour', at)",
      );
      expect(counts.length).toBeGreaterThan(0);
      expect(counts.length).toBeLessThanOrEqual(batches);
      expect(counts).toEqual(counts.map(() => ({ count: 50 })));
      await expectToStand(tx, farm);
    });
    await snapshot.close();
  });

  test("[backup] on postgres stores readings during a backup, even of a new month, and leaves them out of it", async () => {
    const place = await places.create("postgres");
    const busy = await startTestFarm(environmentOf(place));
    await add(busy.app.database, Date.UTC(2026, 9, 1));
    const snapshot = await openSnapshot(busy.app.database, { url: place.url, dataDir: busy.folder });
    await snapshot.read((tx) => expectToStand(tx, busy));
    await snapshot.close();
    await busy.close();
  });
});
