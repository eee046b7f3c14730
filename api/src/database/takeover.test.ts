import { Nullable } from "@mulkko/shared/schema/nullable";
import { parse } from "@mulkko/shared/schema/parse";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { environmentOf, openPlace, openPlaces } from "../../testing/places.ts";
import { differencesOf } from "../../testing/takeover/differences.ts";
import { loadFarmCopy, readRecordedAnswers } from "../../testing/takeover/farm-copy.ts";
import { startTestFarm, type TestFarm } from "../../testing/test-farm.ts";
import { quoted, readTables, type Table } from "../backup/catalogue.ts";
import type { EndLine } from "../backup/format.ts";
import { storeReadings } from "../ingest/reading-store.ts";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";

// These tests open PGlite several times, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Devices of the copy: the demo's first soil sensor, and its COT sensor, which has no rows in `reading`. */
const SOIL = "d0e50000-0000-4000-8000-000024110101";
const COT = "d0e50000-0000-4000-8000-000024110118";
/** The charts of three years of all fields, one of each sensor. */
const THREE_YEARS_BEGIN = "2023-11-27T00:00:00+09:00";
const THREE_YEARS = /\?buckets=274$/;
/** The charts of a month, which the earlier version divided into 300 buckets of two hours and 24 minutes. */
const MONTH = /\?buckets=300$/;
const recorded = readRecordedAnswers();
const places = await openPlaces();
afterAll(() => places.close());

const Chart = Type.Object({
  data: Type.Array(
    Type.Record(
      Type.String(),
      Type.Union([
        Type.Object({ min: Nullable(Type.Number()), max: Nullable(Type.Number()) }),
        Type.Number(),
        Type.String(),
      ]),
    ),
  ),
});

/** Return the number of readings in a chart, and the least and the greatest value of each field. */
function extremesOf(answer: unknown): Record<string, readonly number[]> {
  const parsed = parse(Chart, answer);
  if (!parsed.ok) throw new Error("an answer is no chart");
  const values: Record<string, number[]> = {};
  let count = 0;
  for (const bucket of parsed.value.data) {
    count += Number(bucket.count);
    for (const [name, field] of Object.entries(bucket)) {
      if (typeof field !== "object") continue;
      const own = [field.min, field.max].filter((value) => value !== null);
      values[name] = [...(values[name] ?? []), ...own];
    }
  }
  const extremes = Object.entries(values).map(([name, own]) => [name, [Math.min(...own), Math.max(...own)]]);
  return { count: [count], ...Object.fromEntries(extremes) };
}

type Contents = Readonly<Record<string, { readonly rows: number; readonly digest: string | null }>>;

/** Return the number of rows of each table, and a digest of these columns of all its rows. */
async function contentsOf(database: Database, tables: readonly Table[]): Promise<Contents> {
  const contents: Record<string, Contents[string]> = {};
  for (const { name, columns } of tables) {
    const row = `row(${columns.map((column) => quoted(column.name)).join(", ")})::text`;
    const [found] = await database.query<Contents[string]>(
      `select count(*) as rows, sum(hashtextextended(line, 0))::text as digest
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
  let packedDays: number;
  let before: Contents;
  let after: Contents;
  let farm: TestFarm;
  const clock = createFakeClock(Date.parse(recorded.recordedAt));

  beforeAll(async () => {
    const place = await places.create(kind);
    const database = await openPlace(place);
    end = await loadFarmCopy(database);
    const [packed] = await database.query<{ days: number }>("select count(hours) as days from reading_day");
    packedDays = packed?.days ?? 0;
    const tables = (await readTables(database)).map((table) => ({
      ...table,
      columns: table.columns.filter((column) => isKept(table, column)),
    }));
    before = await contentsOf(database, tables);
    await migrate(database);
    after = await contentsOf(database, tables);
    await database.close();
    farm = await startTestFarm({ ...environmentOf(place), DATA_DIR: place.dataDir }, { empty: true, clock });
  });
  afterAll(() => farm?.close());

  const headersOf = async (username: string) => {
    const { authorization } = await farm.signIn(username);
    return { authorization };
  };
  /** Ask what the earlier version was asked, and return where the answers differ. */
  const differing = async (isAsked: (path: string) => boolean): Promise<string[]> => {
    const users = {
      farmer: await headersOf("farmer"),
      neighbor: await headersOf("neighbor"),
      admin: await headersOf("admin"),
    };
    const found: string[] = [];
    for (const { user, path, body } of recorded.answers) {
      if (!isAsked(path)) continue;
      const answer = await farm.app.inject({ url: path, headers: users[user] });
      const [first] = differencesOf(body, answer.json<unknown>());
      if (first !== undefined) found.push(`${user} ${path}${first}`);
    }
    return found;
  };

  test("[database] every row of every table is the same after today's migrations", () => {
    expect(packedDays).toBeGreaterThan(1_000);
    expect(before.reading?.rows).toBe(end.rows.reading);
    expect(before.reading_hour?.rows).toBe(end.rows.reading_hour);
    expect(before.reading_day?.rows).toBe(end.rows.reading_day);
    expect(after).toEqual(before);
  });

  test("[history] today's version answers lists, latest values, modes and charts as the earlier one did", async () => {
    expect(await differing((path) => !MONTH.test(path))).toEqual([]);
  });

  test("[history] a month in buckets of whole hours has the readings and extremes of the earlier buckets", async () => {
    const headers = await headersOf("farmer");
    const months = recorded.answers.filter(({ user, path }) => user === "farmer" && MONTH.test(path));
    expect(months.length).toBeGreaterThan(3);
    for (const { path, body } of months) {
      const answer = await farm.app.inject({ url: path, headers });
      expect(extremesOf(answer.json())).toEqual(extremesOf(body));
    }
  });

  test("[history] three years of charts count every reading once, also a new one and those of the open hour", async () => {
    const { app } = farm;
    const counted = async (): Promise<number> => {
      const headers = await headersOf("farmer");
      let sum = 0;
      for (const { path } of recorded.answers.filter(({ path }) => THREE_YEARS.test(path))) {
        const { data } = (await app.inject({ url: path, headers })).json<{ data: { count: number }[] }>();
        for (const { count } of data) sum += count;
      }
      return sum;
    };
    const [{ readings } = { readings: 0 }] = await app.database.query<{ readings: number }>(
      `select (select count(*) from reading where at >= $2) +
         (select count(*) from cot_log where device_id = $1 and number = 1 and at >= $2) as readings`,
      [COT, new Date(THREE_YEARS_BEGIN)],
    );
    expect(readings).toBeGreaterThan(30_000);
    expect(await counted()).toBe(readings);
    clock.advance(5 * MINUTE_MS);
    const at = clock.now();
    const fields = { moisture: 30.5 };
    await storeReadings(app.database, [
      { sensorId: SOIL, at, receivedAt: at, fwversion: null, rssi: null, fields },
    ]);
    expect(await counted()).toBe(readings + 1);
    clock.advance(HOUR_MS);
    await app.jobs.minutely();
    expect(await counted()).toBe(readings + 1);
    expect(
      await differing((path) => path.includes("?buckets=") && !MONTH.test(path) && !path.includes(SOIL)),
    ).toEqual([]);
  });
});
