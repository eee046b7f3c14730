import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { environmentOf, openPlace, openPlaces } from "../../testing/places.ts";
import { loadFarmCopy, readRecordedAnswers } from "../../testing/takeover/farm-copy.ts";
import { startTestFarm, type TestFarm } from "../../testing/test-farm.ts";
import { quoted, readTables, type Table } from "../backup/catalogue.ts";
import type { EndLine } from "../backup/format.ts";
import { differencesOf } from "../../testing/takeover/differences.ts";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";

// These tests open PGlite several times, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const HOUR_MS = 3_600_000;
const recorded = readRecordedAnswers();
const places = await openPlaces();
afterAll(() => places.close());

type Contents = Readonly<Record<string, { readonly rows: number; readonly digest: string | null }>>;

/** Return the number of rows of each table, and a digest of these columns of all its rows. */
async function contentsOf(database: Database, tables: readonly Table[]): Promise<Contents> {
  const contents: Record<string, Contents[string]> = {};
  for (const { name, columns } of tables) {
    const row = `row(${columns.map((column) => quoted(column.name)).join(", ")})::text`;
    const [found] = await database.query<Contents[string]>(
      `select count(*) as rows, md5(string_agg(line, E'\\n' order by line)) as digest
       from (select ${row} as line from ${quoted(name)}) as found`,
    );
    if (found) contents[name] = found;
  }
  return contents;
}

/** The columns that a later schema has on purpose no more. */
const DROPPED = new Set(["reading_day.hours"]);

const isKept = ({ name }: Table, column: Table["columns"][number]): boolean =>
  !DROPPED.has(`${name}.${column.name}`);

describe.each(["pglite", "postgres"] as const)("a farm of an earlier version on %s", (kind) => {
  let end: EndLine;
  let before: Contents;
  let after: Contents;
  let farm: TestFarm;
  const headers: Record<string, { authorization: string }> = {};
  const clock = createFakeClock(Date.parse(recorded.recordedAt));

  beforeAll(async () => {
    const place = await places.create(kind);
    const database = await openPlace(place);
    end = await loadFarmCopy(database);
    const tables = (await readTables(database)).map((table) => ({
      ...table,
      columns: table.columns.filter((column) => isKept(table, column)),
    }));
    before = await contentsOf(database, tables);
    await migrate(database);
    after = await contentsOf(database, tables);
    await database.close();
    farm = await startTestFarm({ ...environmentOf(place), DATA_DIR: place.dataDir }, { empty: true, clock });
    for (const username of ["farmer", "neighbor", "admin"]) {
      const { authorization } = await farm.signIn(username);
      headers[username] = { authorization };
    }
  });
  afterAll(() => farm?.close());

  const differing = async (isAsked: (path: string) => boolean): Promise<string[]> => {
    const found: string[] = [];
    for (const { user, path, body } of recorded.answers) {
      if (!isAsked(path)) continue;
      const answer = await farm.app.inject({ url: path, headers: headers[user] ?? {} });
      const [first] = differencesOf(body, answer.json<unknown>());
      if (first !== undefined) found.push(`${user} ${path}${first}`);
    }
    return found;
  };

  test("[database] every row of every table is the same after today's migrations", () => {
    expect(before.reading?.rows).toBe(end.rows.reading);
    expect(before.reading_hour?.rows).toBe(end.rows.reading_hour);
    expect(before.reading_day?.rows).toBe(end.rows.reading_day);
    expect(after).toEqual(before);
  });

  test("[history] today's version answers lists, latest values, modes and charts as the earlier one did", async () => {
    expect(await differing(() => true)).toEqual([]);
  });

  test("[history] the open hour is closed once, and a reading of the present day is added once", async () => {
    clock.advance(2 * HOUR_MS);
    await farm.app.jobs.minutely();
    expect(await differing((path) => path.includes("?buckets="))).toEqual([]);
  });
});
