import { afterAll, beforeAll, expect, test } from "vitest";
import { SOIL, startTestFarm, type TestFarm } from "../../testing/test-farm.ts";
import { storeReadings } from "../ingest/reading-store.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let farm: TestFarm;
beforeAll(async () => {
  farm = await startTestFarm({ RETENTION_DAYS: "30", RETENTION_ROLLUP_DAYS: "60" });
});
afterAll(() => farm.close());

const store = (at: number) =>
  storeReadings(farm.app.database, [
    { sensorId: SOIL.id, at, receivedAt: at, fwversion: null, rssi: null, fields: { moisture: 30 } },
  ]);
const timesOf = async (column: "at" | "start", table: string): Promise<number[]> => {
  const rows = await farm.app.database.query<{ time: number }>(
    `select ${column} as time from ${table} where sensor_id = $1 order by 1`,
    [SOIL.id],
  );
  return rows.map(({ time }) => time);
};

test("[jobs] closes an hour some time after its end, and adds later readings when stored", async () => {
  const hour = Math.floor(farm.clock.now() / HOUR_MS) * HOUR_MS;
  await farm.app.database.query("update history_state set closed_until = $1", [new Date(hour)]);
  await store(hour + 60_000);
  await farm.app.jobs.minutely();
  farm.clock.advance(HOUR_MS + 60_000);
  await farm.app.jobs.minutely();
  expect(await timesOf("start", "reading_hour")).toEqual([]);
  farm.clock.advance(10 * 60_000);
  await farm.app.jobs.minutely();
  expect(await timesOf("start", "reading_hour")).toEqual([hour]);
  await store(hour + 120_000);
  expect(await farm.app.database.query("select rows from reading_hour")).toEqual([{ rows: 2 }]);
  await store(hour + HOUR_MS);
  expect(await timesOf("start", "reading_hour")).toEqual([hour]);
});

test("[jobs] deletes expired history every night, hours later than readings", async () => {
  const first = Math.floor(farm.clock.now() / HOUR_MS) * HOUR_MS + DAY_MS;
  await store(first);
  farm.clock.advance(20 * DAY_MS);
  await farm.app.jobs.nightly();
  expect(await timesOf("at", "reading")).toContain(first);
  farm.clock.advance(14 * DAY_MS);
  await farm.app.jobs.nightly();
  expect(await timesOf("at", "reading")).toEqual([]);
  expect(await timesOf("start", "reading_hour")).toContain(first);
  farm.clock.advance(30 * DAY_MS);
  await farm.app.jobs.nightly();
  expect(await timesOf("start", "reading_hour")).toEqual([]);
  expect(await timesOf("start", "reading_day")).toEqual([]);
});
