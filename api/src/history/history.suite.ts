// This file is long because every query of history runs on rollups and on raw rows, on both databases.
import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { FIELDS as CATALOGUE, type FieldName, isFieldName } from "@mulkko/shared/catalogue/fields";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { systemClock } from "@mulkko/shared/rules/clock";
import { timeStatistics } from "@mulkko/shared/rules/time-mean";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import { storeReadings } from "../ingest/reading-store.ts";
import { columnOf, partsOf } from "./aggregate.ts";
import { closeHours, rebuildRollups, rebuildWhereMissing } from "./closing.ts";
import { DAY_MS, HOUR_MS, hourOf } from "./levels.ts";
import { knownMonths } from "./months.ts";
import { stepOf, totalStepOf } from "./query/answer.ts";
import { readBuckets, readTotal } from "./query/buckets.ts";
import { type Bucket, totalOf } from "./query/part.ts";
import { type Range, rangeOf } from "./query/range.ts";
import { meanOf, type Summary, varianceOf } from "./query/summary.ts";
import { type LatestReading, mergeLatest, type Reading } from "./reading.ts";
import { sweepHistory } from "./retention.ts";

const MIGRATIONS = new URL("../../migrations/", import.meta.url);
const ACCOUNT = "00000000-0000-4000-8000-000000000001";
const TYPE = "ATS02";
const FIELDS = ["windD", "windS", "temperature"] as const satisfies readonly FieldName[];
const START = Date.UTC(2026, 1, 26, 9, 20, 7);

const ZONES = ["Asia/Seoul", "Asia/Kolkata", "America/New_York"].map(createApiTimeZone);

let serial = 0;
/** Create a separate sensor for each case. */
async function newSensor(database: Database): Promise<string> {
  const id = randomUUID();
  serial += 1;
  await database.query(
    `insert into device (id, serial, kind, account_id, key_hash, created_at) values ($1, $2, 'sensor', $3, '', now())`,
    [id, serial, ACCOUNT],
  );
  await database.query("insert into sensor (id, device_type) values ($1, $2)", [id, TYPE]);
  return id;
}

/** Create a sensor whose hours are closed until an instant. */
async function closedUntil(database: Database, at: number): Promise<string> {
  const id = await newSensor(database);
  await database.query("update history_state set closed_until = $2 where sensor_id = $1", [
    id,
    new Date(hourOf(at)),
  ]);
  return id;
}

const readingOf = (sensorId: string, at: number, fields: Reading["fields"]): Reading => ({
  sensorId,
  at,
  receivedAt: at,
  fwversion: null,
  rssi: null,
  fields,
});

/** Four months with a gap, from one reading per ten minutes to one per day. */
const series = fc.array(
  fc.record({
    seconds: fc.oneof(
      { weight: 12, arbitrary: fc.integer({ min: 1, max: 1_800 }) },
      { weight: 2, arbitrary: fc.integer({ min: 3_000, max: 30_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: 80_000, max: 900_000 }) },
    ),
    windD: fc.option(fc.integer({ min: 0, max: 360 }), { nil: undefined }),
    windS: fc.option(fc.integer({ min: 0, max: 400 }), { nil: undefined }),
    temperature: fc.option(fc.integer({ min: -300, max: 500 }), { nil: undefined }),
  }),
  { minLength: 30, maxLength: 160 },
);

const question = fc.record({
  zone: fc.constantFrom(...ZONES),
  from: fc.integer({ min: -3 * 86_400, max: 20 * 86_400 }),
  length: fc.oneof(fc.integer({ min: 60, max: 86_400 }), fc.integer({ min: 86_400, max: 60 * 86_400 })),
  byDay: fc.boolean(),
  buckets: fc.constantFrom(1, 2, 7, 24, 90, 300, 1_000),
});
type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never;

function rangeAsked({ zone, from, length, byDay }: Question): Range {
  const start = zone.toApi(START + from * 1_000);
  const end = zone.toApi(START + (from + length) * 1_000);
  const cut = byDay ? 10 : 16;
  return rangeOf(start.slice(0, cut), end.slice(0, cut), zone);
}

/** Compute the aggregate of a field from rows, directly from the definitions. */
function ofRows(rows: readonly Reading[], name: FieldName) {
  const values = rows.flatMap(({ fields }) => fields[name] ?? []);
  if (values.length === 0) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const radians = values.map((value) => (value * Math.PI) / 180);
  const cos = radians.reduce((sum, value) => sum + Math.cos(value), 0) / values.length;
  const sin = radians.reduce((sum, value) => sum + Math.sin(value), 0) / values.length;
  return {
    count: values.length,
    min: Math.min(...values),
    max: Math.max(...values),
    last: values.at(-1) ?? null,
    mean,
    variance: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length,
    cos,
    sin,
  };
}

/** Compute time-weighted statistics of a field over the whole range from buckets of rows. */
function ofTime(buckets: ReadonlyMap<number, readonly Reading[]>, name: FieldName) {
  const whole = ofRows([...buckets.values()].flat(), name);
  const found = [...buckets].flatMap(([index, rows]) => {
    const own = ofRows(rows, name);
    return own ? [{ ...own, index }] : [];
  });
  const statistics = timeStatistics(found);
  if (!whole || !statistics) return null;
  const mean = (pick: "cos" | "sin"): number =>
    timeStatistics(found.map((own) => ({ index: own.index, mean: own[pick], variance: 0 })))?.mean ??
    Number.NaN;
  return { ...whole, ...statistics, cos: mean("cos"), sin: mean("sin") };
}

function expectSame(found: Summary | undefined, expected: ReturnType<typeof ofRows>, name: FieldName): void {
  if (!expected) {
    expect(found?.count ?? 0).toBe(0);
    return;
  }
  expect(found).toMatchObject({
    count: expected.count,
    min: expected.min,
    max: expected.max,
    last: expected.last,
  });
  expect(found?.mean).toBeCloseTo(expected.mean, 8);
  if (name !== "windD") return;
  expect(found?.cos).toBeCloseTo(expected.cos, 8);
  expect(found?.sin).toBeCloseTo(expected.sin, 8);
}

/**
 * Return the stored hours and days, in an order and precision shared by both ways of counting.
 * One query per table: the place of a column that a migration adds differs between the tables.
 */
async function kept(database: Database, sensorId: string): Promise<unknown[]> {
  const rows: Record<string, unknown>[] = [];
  for (const table of ["reading_hour", "reading_day"]) {
    const own = await database.query<Record<string, unknown>>(
      `select * from ${table} where sensor_id = $1 order by start`,
      [sensorId],
    );
    rows.push(...own.map((row) => ({ table, ...row })));
  }
  return rows.map((row) =>
    Object.entries(row).map(([key, value]) =>
      typeof value === "number" ? `${key} ${Number(value.toPrecision(10)) || 0}` : `${key} ${String(value)}`,
    ),
  );
}

/** Define the history tests for every database. `open` returns an empty one. */
export function historySuite(name: string, open: () => Promise<Database>): void {
  describe(`[history] ${name}`, () => {
    let database: Database;
    const bucketsOf = (sensorId: string, range: Range, count: number): Promise<Bucket[]> =>
      readBuckets(database, systemClock, {
        source: { deviceId: sensorId, deviceType: TYPE, channel: null },
        range,
        step: stepOf(range, count),
        only: new Set(FIELDS),
      });
    const totalRead = (sensorId: string, range: Range): Promise<Bucket | undefined> =>
      readTotal(database, systemClock, {
        source: { deviceId: sensorId, deviceType: TYPE, channel: null },
        range,
      });

    /** Query buckets and statistics, and compare them with the rows. */
    const expectAnswers = async (
      sensorId: string,
      rows: readonly Reading[],
      questions: readonly Question[],
    ): Promise<void> => {
      for (const asked of questions) {
        const range = rangeAsked(asked);
        const step = stepOf(range, asked.buckets);
        const inRange = rows.filter((row) => row.at >= range.from && row.at < range.to);
        const inBuckets = (length: number) =>
          Map.groupBy(inRange, (row) => Math.floor((row.at - range.from) / length));
        const expected = inBuckets(step);
        const buckets = await bucketsOf(sensorId, range, asked.buckets);
        expect(buckets.map(({ index, count }) => [index, count])).toEqual(
          [...expected].map(([index, own]) => [index, own.length]),
        );
        for (const { index, fields } of buckets) {
          for (const field of FIELDS)
            expectSame(fields.get(field), ofRows(expected.get(index) ?? [], field), field);
        }
        for (const [total, rowsIn] of [
          [totalOf(buckets), expected],
          [await totalRead(sensorId, range), inBuckets(totalStepOf(range))],
        ] as const) {
          expect(total?.count ?? 0).toBe(inRange.length);
          for (const field of FIELDS) {
            const found = total?.fields.get(field);
            const said = ofTime(rowsIn, field);
            expectSame(found, said, field);
            if (!said) continue;
            expect(varianceOf(found ?? ({ count: 0 } as Summary))).toBeCloseTo(said.variance, 6);
          }
        }
      }
    };

    beforeAll(async () => {
      database = await open();
    });
    afterAll(() => database.close());

    test("[history] moves rows of an older version to their months and counts them", async () => {
      await database.exec("create table schema_migration (number int primary key, applied_at timestamptz)");
      const files = (await readdir(MIGRATIONS)).sort().filter((file) => file < "0004");
      for (const file of files) {
        await database.exec(await readFile(new URL(file, MIGRATIONS), "utf8"));
        await database.query("insert into schema_migration (number) values ($1)", [Number(file.slice(0, 4))]);
      }
      await database.query(
        "insert into account (id, username, password_hash, user_type, created_at) values ($1, 'one', '', 'USER', now())",
        [ACCOUNT],
      );
      const sensorId = await newSensor(database);
      const times = ["2025-12-31T23:59:59.999Z", "2026-01-01T00:00:00Z", "2026-03-01T00:30:00Z"];
      for (const [index, at] of times.entries()) {
        await database.query(
          `insert into reading (sensor_id, at, received_at, "windS") values ($1, $2, $2, $3)`,
          [sensorId, new Date(at), index],
        );
      }
      // An intermediate version stored hours and days. The rows of these are deleted.
      const hourly = await newSensor(database);
      const between = (await readdir(MIGRATIONS)).sort().filter((file) => file >= "0004" && file < "0007");
      for (const file of between) {
        await database.exec(await readFile(new URL(file, MIGRATIONS), "utf8"));
        await database.query("insert into schema_migration (number) values ($1)", [Number(file.slice(0, 4))]);
      }
      const day = Date.UTC(2026, 0, 5);
      await database.query(
        `insert into reading_hour (sensor_id, start, rows, "windS_count", "windS_sum", "windS_spread",
           "windS_min", "windS_max", "windS_last", "windS_last_at")
         select $1::uuid, at, 4, 4, hour * 4, 8, hour - 2, hour + 2, hour + 1, at
         from generate_series(0, 47) as hour, lateral (select $2::timestamptz + hour * interval '1 hour' as at) as time`,
        [hourly, new Date(day)],
      );
      await database.query(
        `insert into reading_day (sensor_id, start, rows, "windS_count", "windS_sum", "windS_spread",
           "windS_min", "windS_max", "windS_last", "windS_last_at")
         select sensor_id, date_trunc('day', start, 'UTC'), sum(rows), sum("windS_count"), sum("windS_sum"),
           24 * 8 + 4 * (24 * 24 * 24 - 24) / 12.0, min("windS_min"), max("windS_max"),
           max("windS_last"), max("windS_last_at")
         from reading_hour where sensor_id = $1 group by 1, 2`,
        [hourly],
      );
      await migrate(database);
      await rebuildWhereMissing(database, Date.UTC(2026, 2, 2));
      const whole = { from: day - HOUR_MS, to: day + 49 * HOUR_MS };
      const buckets = await readBuckets(database, systemClock, {
        source: { deviceId: hourly, deviceType: TYPE, channel: null },
        range: whole,
        step: 5 * HOUR_MS,
      });
      expect(buckets.map(({ count }) => count)).toEqual([16, ...Array.from({ length: 8 }, () => 20), 16]);
      expect(buckets[1]?.fields.get("windS")).toMatchObject({
        count: 20,
        min: 2,
        max: 10,
        mean: 6,
        last: 9,
      });
      expect(totalOf(buckets)?.fields.get("windS")).toMatchObject({
        count: 192,
        min: -2,
        max: 49,
        last: 48,
      });
      const hours = await readBuckets(database, systemClock, {
        source: { deviceId: hourly, deviceType: TYPE, channel: null },
        range: whole,
        step: HOUR_MS,
      });
      const variance = varianceOf(totalOf(hours)?.fields.get("windS") ?? ({ count: 0 } as Summary));
      expect(variance).toBeCloseTo(8 / 4 + (48 * 48 - 1) / 12, 9);
      expect((await knownMonths(database)).map(({ table }) => table)).toEqual([
        "reading_2025_12",
        "reading_2026_01",
        "reading_2026_03",
      ]);
      const total = await totalRead(sensorId, { from: 0, to: Date.UTC(2027, 0, 1) });
      expect(total?.count).toBe(3);
      expect(total?.fields.get("windS")).toMatchObject({ count: 3, min: 0, max: 2, mean: 1.25, last: 2 });
      // Runs once: readings counted since are not counted again.
      await database.query("delete from reading_hour");
      await rebuildWhereMissing(database, Date.UTC(2026, 2, 2));
      expect(await database.query("select 1 from reading_hour")).toEqual([]);
    });

    test("[history] every part of every catalogue field is a column of hours and days", async () => {
      for (const table of ["reading_hour", "reading_day"]) {
        const columns = await database.query<{ name: string; type: string }>(
          "select column_name as name, data_type as type from information_schema.columns where table_name = $1",
          [table],
        );
        const known = new Set(columns.map((column) => `"${column.name}"`));
        for (const name of Object.keys(CATALOGUE).filter(isFieldName)) {
          for (const { part } of partsOf(name)) expect(known).toContain(columnOf(name, part));
        }
      }
    });

    test("[history] stores a batch in which no reading has a field", async () => {
      const sensorId = await newSensor(database);
      const [first, second] = [readingOf(sensorId, START, {}), readingOf(sensorId, START + 60_000, {})];
      expect(await storeReadings(database, [first])).toEqual([first]);
      expect(await storeReadings(database, [first, second])).toEqual([second]);
      expect(await database.query("select at from latest where sensor_id = $1", [sensorId])).toEqual([
        { at: second.at },
      ]);
    });

    test("[history] the latest values are the newest of each field, however readings come in batches", async () => {
      const value = fc.integer({ min: 0, max: 9 });
      const batch = fc.uniqueArray(
        fc.record({
          minute: fc.integer({ min: 1, max: 6 }),
          fields: fc.record({ windS: value, temperature: value }, { requiredKeys: [] }),
        }),
        { minLength: 1, maxLength: 3, selector: ({ minute }) => minute },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 4 }), async (batches) => {
          const sensorId = await newSensor(database);
          let expected: LatestReading | undefined;
          for (const rows of batches) {
            const readings = rows.map(({ minute, fields }) =>
              readingOf(sensorId, START + minute * 60_000, fields),
            );
            await storeReadings(database, readings);
            for (const reading of readings) expected = mergeLatest(expected, reading);
          }
          const [latest] = await database.query<{ at: number; field_at: Record<string, number> }>(
            `select at, "windS", temperature, field_at from latest where sensor_id = $1`,
            [sensorId],
          );
          for (const name of ["windS", "temperature"] as const) {
            const newest = expected?.fields[name];
            expect(latest).toMatchObject({ at: expected?.at, [name]: newest ?? null });
            const time = newest === undefined ? undefined : (expected?.fieldTimes[name] ?? expected?.at);
            expect(latest?.field_at[name]).toBe(time);
          }
        }),
        { numRuns: 40 },
      );
    });

    test("[history] buckets and statistics agree with the rows, for any range, order and gaps", async () => {
      await fc.assert(
        fc.asyncProperty(
          series,
          fc.array(question, { minLength: 6, maxLength: 6 }),
          fc.integer({ min: 5, max: 60 }),
          fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
          async (steps, questions, batchSize, chance) => {
            const sensorId = await closedUntil(database, START + chance.next().value * 20 * DAY_MS);
            let at = START;
            const rows = steps.map(({ seconds, ...fields }) => {
              at += seconds * 1_000;
              const known = Object.entries(fields).filter(([, value]) => value !== undefined);
              return readingOf(sensorId, at, Object.fromEntries(known));
            });
            // Some arrive late, and some twice with other values: the first stays.
            const order = rows.flatMap((row) => {
              const late = chance.next().value < 0.2 ? 40 : 0;
              return chance.next().value < 0.1
                ? [
                    { row, late },
                    { row: { ...row, fields: { windS: 1e6 } }, late: 90 },
                  ]
                : [{ row, late }];
            });
            const arrivals = order
              .map(({ row, late }, index) => ({ row, turn: index + late }))
              .sort((a, b) => a.turn - b.turn)
              .map(({ row }) => row);
            // Some arrive when their day is already closed.
            const lateTimes = new Set(rows.filter(() => chance.next().value < 0.05).map(({ at }) => at));
            const isLate = (row: Reading): boolean => lateTimes.has(row.at);
            let fresh = 0;
            const store = async (readings: readonly Reading[]): Promise<void> => {
              for (let first = 0; first < readings.length; first += batchSize) {
                fresh += (await storeReadings(database, readings.slice(first, first + batchSize))).length;
                if (chance.next().value < 0.2) await closeHours(database, readings[first]?.at ?? 0);
              }
            };
            const [forOpen, forLate, forPacked] = [
              questions.slice(0, 4),
              questions.slice(4),
              questions.slice(2, 5),
            ];
            await store(arrivals.filter((row) => !isLate(row)));
            const early = rows.filter((row) => !isLate(row));
            await expectAnswers(sensorId, early, forOpen);

            await closeHours(database, at + 2 * DAY_MS);
            await store(arrivals.filter(isLate));
            expect(fresh).toBe(rows.length);
            await expectAnswers(sensorId, rows, forLate);

            await closeHours(database, at + 2 * DAY_MS);
            await expectAnswers(sensorId, rows, forPacked);
          },
        ),
        { numRuns: 12 },
      );
    });

    test.each([
      ["as it is", []],
      ["after a migration has added a field", ["canopy_count int", "canopy_sum double precision"]],
    ])(
      "[history] recounting the rows gives the same rollups as incremental counting, %s",
      async (_, added) => {
        for (const column of added) {
          await database.query(`alter table reading_hour add column ${column}`);
          await database.query(`alter table reading_day add column ${column}`);
        }
        const sensorId = await newSensor(database);
        const rows = Array.from({ length: 700 }, (_, index) =>
          readingOf(sensorId, START + ((index * 7_919) % 700) * 671_000, {
            windD: (index * 37) % 360,
            ...(index % 3 === 0 ? { temperature: 20 + (index % 10) / 10 } : {}),
          }),
        );
        for (let first = 0; first < rows.length; first += 90) {
          await storeReadings(database, rows.slice(first, first + 90));
        }
        const before = await kept(database, sensorId);
        await database.query(
          "delete from reading_hour where sensor_id = $1 and extract(hour from start) = 5",
          [sensorId],
        );
        await database.query(`update reading_day set rows = 1, "windD_last" = 0 where sensor_id = $1`, [
          sensorId,
        ]);
        expect(await kept(database, sensorId)).not.toEqual(before);
        await rebuildRollups(database, { from: START, to: START + 60 * DAY_MS });
        expect(await kept(database, sensorId)).toEqual(before);
        const range = { from: START - DAY_MS, to: START + 60 * DAY_MS };
        const total = totalOf(await bucketsOf(sensorId, range, 300));
        const step = stepOf(range, 300);
        const inBuckets = Map.groupBy(
          rows.toSorted((a, b) => a.at - b.at),
          ({ at }) => Math.floor((at - range.from) / step),
        );
        for (const field of FIELDS) expectSame(total?.fields.get(field), ofTime(inBuckets, field), field);
      },
    );

    test("[history] weights the mean of a range by time where a sensor's interval changes", async () => {
      const sensorId = await newSensor(database);
      const change = START + 0.75 * DAY_MS;
      const rows = [
        ...Array.from({ length: 216 }, (_, index) =>
          readingOf(sensorId, START + index * 300_000, { windS: 24, windD: 350 }),
        ),
        ...Array.from({ length: 2_160 }, (_, index) =>
          readingOf(sensorId, change + index * 10_000, { windS: 28, windD: 30 }),
        ),
      ];
      for (let first = 0; first < rows.length; first += 1_000) {
        await storeReadings(database, rows.slice(first, first + 1_000));
      }
      const range = { from: START, to: START + DAY_MS };
      for (const total of [
        totalOf(await bucketsOf(sensorId, range, 2_000)),
        await totalRead(sensorId, range),
      ]) {
        const wind = total?.fields.get("windS");
        expect(wind).toMatchObject({ count: 2_376, min: 24, max: 28, last: 28 });
        expect(wind?.mean).toBeCloseTo(25, 1);
        expect(wind && varianceOf(wind)).toBeCloseTo(3, 1);
        const direction = total?.fields.get("windD");
        expect(direction && meanOf(direction, true)).toBeCloseTo(359.7, 0);
      }
    });

    test("[history] keeps the small variance of a counter in the millions", async () => {
      const sensorId = await newSensor(database);
      const rows = Array.from({ length: 2_000 }, (_, index) =>
        readingOf(sensorId, START + index * 300_000, { windS: 987_654_321 + (index % 5) / 10 }),
      );
      await storeReadings(database, rows);
      const total = await totalRead(sensorId, { from: START - DAY_MS, to: START + 30 * DAY_MS });
      expect(varianceOf(total?.fields.get("windS") ?? ({ count: 0 } as Summary))).toBeCloseTo(0.02, 5);
    });

    test("[history] a log with many rows per hour agrees with its rows", async () => {
      const sensorId = await newSensor(database);
      const rows = Array.from({ length: 3_000 }, (_, index) =>
        readingOf(sensorId, START + index * 31_000, {
          windD: (index * 7) % 360,
          ...(index % 4 === 0 ? { temperature: (index % 90) / 10 } : {}),
        }),
      );
      for (let first = 0; first < rows.length; first += 1_000) {
        await storeReadings(database, rows.slice(first, first + 1_000));
      }
      const asked = { zone: ZONES[1] ?? createApiTimeZone("UTC"), byDay: false };
      const questions: Question[] = [
        { ...asked, from: -3_000, length: 86_400, buckets: 90 },
        { ...asked, from: 777, length: 100_000, buckets: 7 },
        { ...asked, from: 0, length: 9_000, buckets: 300 },
      ];
      await expectAnswers(sensorId, rows, questions);
    });

    test("[history] sums the log of a channel as numbers, though its valve is an integer column", async () => {
      const deviceId = await newSensor(database);
      await database.query(
        "insert into cot_log (device_id, number, at, valve, moisture) values ($1, 1, $2, 1, 20), ($1, 1, $3, 2, 21)",
        [deviceId, new Date(START), new Date(START + 60_000)],
      );
      const [bucket] = await readBuckets(database, systemClock, {
        source: { deviceId, deviceType: "COT", channel: 1 },
        range: { from: START, to: START + DAY_MS },
        step: DAY_MS,
      });
      expect(bucket?.fields.get("valve")).toMatchObject({
        count: 2,
        min: 1,
        max: 2,
        mean: 1.5,
        spread: 0.5,
        last: 2,
      });
    });

    test("[history] deletes days with their sensor, and expired ones", async () => {
      const [gone, stays] = [await newSensor(database), await newSensor(database)];
      const at = Date.UTC(2026, 3, 1);
      const hours = Array.from({ length: 6 * 24 }, (_, index) => at + index * HOUR_MS);
      for (const id of [gone, stays]) {
        await storeReadings(
          database,
          hours.map((time) => readingOf(id, time, { windS: 1 })),
        );
      }
      const days = async (sensorId: string): Promise<number[]> => {
        const found = await database.query<{ start: number }>(
          "select start from reading_day where sensor_id = $1 order by start",
          [sensorId],
        );
        return found.map(({ start }) => start);
      };
      expect(await days(gone)).toHaveLength(6);
      await database.query("delete from device where id = $1", [gone]);
      expect(await days(gone)).toEqual([]);

      await sweepHistory(database, { rawDays: 3, rollupDays: 3 }, at + 6 * DAY_MS + 1_000);
      expect(await days(stays)).toEqual([at + 3 * DAY_MS, at + 4 * DAY_MS, at + 5 * DAY_MS]);
      const left = await bucketsOf(stays, { from: at, to: at + 6 * DAY_MS }, 24);
      expect(left.map(({ index, count }) => [index, count])).toEqual(
        Array.from({ length: 12 }, (_, index) => [12 + index, 6]),
      );
    });

    test("[history] averages a direction across north on the circle, over days too", async () => {
      const sensorId = await newSensor(database);
      await storeReadings(
        database,
        Array.from({ length: 600 }, (_, index) =>
          readingOf(sensorId, START + index * 1_200_000, { windD: index % 2 === 0 ? 350 : 10 }),
        ),
      );
      // Each of these buckets has as much of one wind as of the other.
      const total = totalOf(
        await readBuckets(database, systemClock, {
          source: { deviceId: sensorId, deviceType: TYPE, channel: null },
          range: { from: START - DAY_MS, to: START + 30 * DAY_MS },
          step: 2 * HOUR_MS,
        }),
      );
      const mean = meanOf(total?.fields.get("windD") ?? ({ cos: null, sin: null } as Summary), true) ?? 180;
      expect(Math.min(mean, 360 - mean)).toBeCloseTo(0, 6);
    });

    test("[history] deletes expired rows: months with their table, the rest in steps; hours stay longer", async () => {
      const sensorId = await newSensor(database);
      const now = Date.UTC(2026, 10, 21, 3);
      const from = Date.UTC(2026, 7, 20);
      // Sensors of other tests have nothing to close.
      await database.query("update history_state set closed_until = $2 where sensor_id <> $1", [
        sensorId,
        new Date(now),
      ]);
      const rows = Array.from({ length: Math.floor((now - from) / 600_000) }, (_, index) =>
        readingOf(sensorId, from + index * 600_000, { windS: index % 50 }),
      );
      for (let first = 0; first < rows.length; first += 2_000) {
        await storeReadings(database, rows.slice(first, first + 2_000));
      }
      await database.query(
        "insert into cot_log (device_id, number, at, valve) values ($1, 1, $2, 1), ($1, 1, $3, 2)",
        [sensorId, new Date(from), new Date(now)],
      );
      const range = { from: from - DAY_MS + 1_234_000, to: now };
      const total = await totalRead(sensorId, range);

      const retention = { rawDays: 30, rollupDays: 60 };
      await sweepHistory(database, { rawDays: undefined, rollupDays: undefined }, now);
      expect((await knownMonths(database)).map(({ table }) => table).slice(-2)).toEqual([
        "reading_2026_11",
        "reading_2026_12",
      ]);
      expect(await totalRead(sensorId, range)).toEqual(total);

      const swept = await sweepHistory(database, retention, now);
      expect(swept.tables).toContain("reading_2026_09");
      expect(swept.tables).not.toContain("reading_2026_10");
      const cut = Date.UTC(2026, 9, 22);
      const hoursCut = Date.UTC(2026, 8, 22);
      const left = rows.filter(({ at }) => at >= cut).length;
      const count = "select count(*) as count, min(at) as first from reading where sensor_id = $1";
      expect(await database.query(count, [sensorId])).toEqual([{ count: left, first: cut }]);
      expect(await database.query("select at from cot_log where device_id = $1", [sensorId])).toEqual([
        { at: now },
      ]);
      expect(
        (
          await database.query("select min(start) as first from reading_hour where sensor_id = $1", [
            sensorId,
          ])
        )[0],
      ).toEqual({ first: hoursCut });

      // Where rows are deleted, hours answer: whole ones, in the bucket of their start.
      const old = { from: hoursCut + DAY_MS + 1_800_000, to: cut - DAY_MS };
      const step = stepOf(old, 40);
      const expected = Map.groupBy(
        rows.filter(({ at }) => hourOf(at) >= old.from && hourOf(at) < old.to),
        ({ at }) => Math.floor((hourOf(at) - old.from) / step),
      );
      const buckets = await bucketsOf(sensorId, old, 40);
      expect(buckets.map(({ index, count }) => [index, count])).toEqual(
        [...expected].map(([index, own]) => [index, own.length]),
      );
      for (const { index, fields } of buckets)
        expectSame(fields.get("windS"), ofRows(expected.get(index) ?? [], "windS"), "windS");
      // Across the first day with rows, nothing is lost or doubled.
      const across = await bucketsOf(
        sensorId,
        { from: cut - 7 * HOUR_MS, to: cut + 5 * HOUR_MS + 600_000 },
        5,
      );
      expect(across.reduce((sum, bucket) => sum + bucket.count, 0)).toBe(12 * 6 + 1);

      expect(await sweepHistory(database, retention, now)).toEqual({ rows: 0, tables: [] });
      // A late reading of a deleted month is stored again, until the next night.
      await storeReadings(database, [readingOf(sensorId, Date.UTC(2026, 8, 1), { windS: 1 })]);
      expect(await sweepHistory(database, retention, now)).toMatchObject({ tables: ["reading_2026_09"] });
    });
  });
}
