import { LogRange, statisticsOf } from "@mulkko/shared/rest/log";
import {
  cotLog,
  latestOfMany,
  latestReceived,
  latestStored,
  logRange,
} from "@mulkko/shared/rest/operations/logs";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { parse } from "@mulkko/shared/schema/parse";
import { seededRandom } from "@mulkko/shared/testing/random";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COT, SOIL, startTestFarm, type TestFarm, VALVES, WEATHER } from "../../testing/test-farm.ts";
import { storeReadings } from "../ingest/reading-store.ts";

const START = Date.parse("2026-11-10T00:00:00+09:00");
const MINUTE = 60_000;

let farm: TestFarm;
let headers: { authorization: string };
const moistures: number[] = [];

beforeAll(async () => {
  farm = await startTestFarm();
  headers = { authorization: (await farm.signIn("farmer-one")).authorization };
  const random = seededRandom(7);
  const readings = Array.from({ length: 3_000 }, (_, index) => {
    const at = START + index * 2 * MINUTE;
    const moisture = 20 + random() * 10;
    moistures.push(moisture);
    // Every second reading has no battery value.
    const fields = index % 2 === 0 ? { moisture, battery: 50 } : { moisture };
    return { sensorId: SOIL.id, at, receivedAt: at, fwversion: "1.0", rssi: -70, fields };
  });
  for (let from = 0; from < readings.length; from += 1_000) {
    await storeReadings(farm.app.database, readings.slice(from, from + 1_000));
  }
  await storeReadings(
    farm.app.database,
    [350, 10, 20, 340].map((windD, index) => {
      const at = START + index * MINUTE;
      return {
        sensorId: WEATHER.id,
        at,
        receivedAt: at,
        fwversion: null,
        rssi: null,
        fields: { windD, windS: 2 },
      };
    }),
  );
  await farm.app.database.query(
    `insert into cot_log (device_id, number, at, valve, moisture) values
       ($1, 1, $3, 1, 25), ($1, 2, $3, 2, 40), ($2, 1, $3, 2, null)`,
    [COT.id, VALVES.id, new Date(START)],
  );
});
afterAll(() => farm.close());

const get = async (url: string) => farm.app.inject({ url, headers });
const range = (id: string, start: string, end: string, query = "") =>
  get(`${pathTo(logRange, { id, start, end })}${query}`);

describe("[log] ranges", () => {
  test("[log] returns rows oldest first, in the API's zone, with statistics of all of them", async () => {
    const answer = (await range(SOIL.id, "2026-11-10 00:00", "2026-11-13 23:59")).json();
    expect(parse(LogRange, answer).ok).toBe(true);
    expect(answer.data).toHaveLength(2_880);
    expect(answer.data[0]).toMatchObject({
      createdDate: "2026-11-10 00:00:00",
      sensorId: SOIL.id,
      battery: 50,
    });
    expect(answer.data[1]).toMatchObject({ createdDate: "2026-11-10 00:02:00", battery: null });
    expect(answer.data.at(-1).createdDate).toBe("2026-11-13 23:58:00");
    const inRange = moistures.slice(0, 2_880);
    const mean = inRange.reduce((sum, value) => sum + value, 0) / inRange.length;
    const found = statisticsOf(answer, "moisture");
    expect(found.max).toBe(Math.max(...inRange));
    expect(found.min).toBe(Math.min(...inRange));
    expect(found.avg).toBeCloseTo(mean, 2);
    expect(found.variance).toBeCloseTo(
      inRange.reduce((sum, value) => sum + (value - mean) ** 2, 0) / inRange.length,
      1,
    );
    expect(answer).toMatchObject({ maxBattery: 50, minBattery: 50, avgBattery: 50, batteryVariation: 0 });
    expect(answer).not.toHaveProperty("maxSoilTemperature");
  });

  test("[log] an empty range has no rows and no statistics", async () => {
    expect((await range(SOIL.id, "2020-01-01", "2020-12-31")).json()).toEqual({ data: [] });
  });

  test("[log] buckets are regular, including empty ones; their statistics are those of the rows", async () => {
    const answer = (
      await range(SOIL.id, "2026-11-09 22:00", "2026-11-10 03:59", "?buckets=6&fields=moisture")
    ).json();
    expect(
      answer.data.map(({ createdDate, count }: { createdDate: string; count: number }) => [
        createdDate,
        count,
      ]),
    ).toEqual([
      ["2026-11-09 22:00:00", 0],
      ["2026-11-09 23:00:00", 0],
      ["2026-11-10 00:00:00", 30],
      ["2026-11-10 01:00:00", 30],
      ["2026-11-10 02:00:00", 30],
      ["2026-11-10 03:00:00", 30],
    ]);
    expect(Object.keys(answer.data[0])).toEqual(["createdDate", "count"]);
    const first = moistures.slice(0, 30);
    expect(answer.data[2].moisture.min).toBe(Math.min(...first));
    expect(answer.data[2].moisture.max).toBe(Math.max(...first));
    expect(answer.data[2].moisture.last).toBe(first.at(-1));
    expect(answer.data[2].moisture.avg).toBeCloseTo(first.reduce((sum, value) => sum + value, 0) / 30, 9);
    expect(answer.data[2]).not.toHaveProperty("battery");
    expect(statisticsOf(answer, "moisture").max).toBe(Math.max(...moistures.slice(0, 120)));
  });

  test("[log] merges a bucket longer than one chunk of the database's work", async () => {
    const whole = (await range(SOIL.id, "2026-11-01", "2026-11-30", "?buckets=1")).json();
    expect(whole.data).toHaveLength(1);
    expect(whole.data[0].count).toBe(3_000);
    expect(whole.data[0].moisture.last).toBe(moistures.at(-1));
    expect(whole.data[0].moisture.max).toBe(Math.max(...moistures));
  });

  test("[log] averages a direction on the circle, without a band in buckets", async () => {
    const plain = (await range(WEATHER.id, "2026-11-10", "2026-11-10")).json();
    const north = plain.avgWindD;
    expect(Math.min(north, 360 - north)).toBeCloseTo(0, 6);
    expect(plain).toMatchObject({ maxWindD: 350, minWindD: 10, avgWindS: 2 });
    const bucket = (await range(WEATHER.id, "2026-11-10", "2026-11-10", "?buckets=1")).json().data[0];
    expect(bucket.windD).toMatchObject({ min: null, max: null, last: 340 });
  });

  test.each([
    ["2026-13-01", "2026-11-10", "", "start"],
    ["2026-11-10", "never", "", "end"],
    ["2026-11-10", "2026-11-09", "", "end"],
    ["2026-11-10", "2026-11-10", "?buckets=0", "buckets"],
    ["2026-11-10", "2026-11-10", "?buckets=5000", "buckets"],
    ["2026-11-10", "2026-11-10", "?buckets=some", "buckets"],
  ])("[log] %s to %s%s is 422 and names %s", async (start, end, query, field) => {
    const answer = await range(SOIL.id, start, end, query);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().errors[0].field).toBe(field);
  });

  test("[log] ignores unknown fields, which reach no statement", async () => {
    const answer = await range(
      SOIL.id,
      "2026-11-10",
      "2026-11-10",
      '?buckets=1&fields=moisture,")--,sensor_id',
    );
    expect(answer.statusCode).toBe(200);
    expect(Object.keys(answer.json().data[0])).toEqual(["createdDate", "count", "moisture"]);
  });
});

describe("[log] COT", () => {
  const cot = (id: string, channel: number | string) =>
    get(pathTo(cotLog, { id, channel, start: "2026-11-10", end: "2026-11-10" }));

  test("[log] a channel's log lists valve and moisture, for a COT sensor and for a controller", async () => {
    expect((await cot(COT.id, 2)).json()).toEqual([
      { createdDate: "2026-11-10 00:00:00", valve: 2, moisture: 40 },
    ]);
    expect((await cot(VALVES.id, 1)).json()).toEqual([
      { createdDate: "2026-11-10 00:00:00", valve: 2, moisture: null },
    ]);
    expect((await cot(COT.id, 9)).statusCode).toBe(422);
  });

  test("[log] a COT sensor's own log is that of its first channel", async () => {
    const answer = (await range(COT.id, "2026-11-10", "2026-11-10")).json();
    expect(answer.data).toMatchObject([{ valve: 1, moisture: 25 }]);
    expect(answer).toMatchObject({ maxMoisture: 25, minValve: 1 });
  });
});

describe("[log] the newest", () => {
  test("[log] latest is the stored reading, null where there is none; many at once by id", async () => {
    expect((await get(pathTo(latestStored, { id: SOIL.id }))).json()).toMatchObject({
      createdDate: "2026-11-14 03:58:00",
    });
    const none = await get(pathTo(latestStored, { id: COT.id }));
    expect([none.statusCode, none.headers["content-type"], none.body]).toEqual([
      200,
      "application/json; charset=utf-8",
      "null",
    ]);
    const bulk = (await get(`${latestOfMany.path}?ids=${SOIL.id},${COT.id}`)).json();
    expect(bulk).toMatchObject({ [SOIL.id]: { createdDate: "2026-11-14 03:58:00" }, [COT.id]: null });
    expect((await get(latestOfMany.path)).statusCode).toBe(422);
  });

  test("[log] latest/mqtt is the newest accepted message, and the newest stored one after a restart", async () => {
    const url = pathTo(latestReceived, { id: SOIL.id });
    expect((await get(url)).json()).toMatchObject({ createdDate: "2026-11-14 03:58:00" });
    const device = await farm.connect(SOIL);
    await device.publishAsync(`mulkko/${SOIL.serial}/up`, '{"moisture": 44}', { qos: 1 });
    expect((await get(url)).json()).toMatchObject({ createdDate: "2026-11-21 12:00:00", moisture: 44 });
  });
});
