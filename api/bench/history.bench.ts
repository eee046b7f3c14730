/**
 * Measure three years of one sensor at one reading per 15 minutes: 1,000 buckets with statistics. The
 * baseline is the raw list of the same range in the same run. Also measure the newest readings of many
 * sensors at once. All calls use HTTP, on PGlite or on PostgreSQL.
 *
 * `BENCH_SERIES` may name a CSV file with a time, temperature, conductivity, pH and dissolved oxygen in each
 * row. Without it, as many rows are generated.
 */

import { readFile } from "node:fs/promises";
import { latestOfMany } from "@mulkko/shared/rest/operations/logs";
import { seededRandom } from "@mulkko/shared/testing/random";
import { machine, median } from "@mulkko/testing/bench/figures";
import { startPostgres } from "@mulkko/testing/engines/postgres";
import { arrayLiteral } from "../src/database/packed-rows.ts";
import { closeHours } from "../src/history/closing.ts";
import { columnsOf } from "../src/history/query/columns.ts";
import { readLatest } from "../src/history/query/repository.ts";
import type { Reading } from "../src/history/reading.ts";
import { storeReadings } from "../src/ingest/reading-store.ts";
import { type BenchFarm, sensorIdOf, startBenchFarm } from "./farm.ts";
import { BENCH } from "./options.ts";
import { spread, timesOf } from "./times.ts";

const TYPE = "NUTRIENT";
const ROWS = 103_605;
const QUARTER_MS = 900_000;
const FIRST = Date.UTC(2017, 0, 1);
const BATCH = 2_000;
/** A raw list holds at most 50,000 rows, so three years need four calls. */
const PARTS = [
  ["2017-01-01", "2017-09-30"],
  ["2017-10-01", "2018-06-30"],
  ["2018-07-01", "2019-03-31"],
  ["2019-04-01", "2019-12-31"],
] as const;
const QUESTIONS = [
  ["1,000 buckets over three years", "2017-01-01/2019-12-16", 1_000],
  ["300 buckets over three years", "2017-01-01/2019-12-16", 300],
  ["1,000 buckets, from within an hour", "2017-01-01 00:20/2019-12-16 10:20", 1_000],
  ["540 buckets of two days of UTC, as charts ask", "2017-01-01 09:00/2019-12-17 08:59:59", 540],
  ["1,000 buckets over 90 days", "2018-03-01/2018-05-29", 1_000],
  ["288 buckets over a day", "2018-03-01/2018-03-01", 288],
] as const;

const measured = (text: string | undefined): number | undefined => {
  const value = text === undefined || text === "" || text === "NULL" ? Number.NaN : Number(text);
  return value > -60 ? value : undefined;
};

async function rowsOf(sensorId: string): Promise<Reading[]> {
  const random = seededRandom(1);
  const rest = { sensorId, fwversion: null, rssi: null };
  const file = process.env.BENCH_SERIES;
  const lines = file ? (await readFile(file, "utf8")).trim().split(/\r?\n/).slice(1) : [];
  const wave = (index: number, days: number): number => Math.sin((index / 96 / days) * 2 * Math.PI);
  const rows = file
    ? lines.map((line) => {
        const [time = "", temperature, ec, ph, gdo] = line.split(",");
        return {
          at: Date.parse(`${time.replace(" ", "T")}:00Z`),
          values: [temperature, ec, ph, gdo].map(measured),
        };
      })
    : Array.from({ length: ROWS }, (_, index) => ({
        at: FIRST + index * QUARTER_MS,
        values: [
          8 + 6 * wave(index, 365) + 3 * wave(index, 1) + random(),
          300 + 40 * wave(index, 30) + random() * 5,
          8.2 + random() * 0.2,
          10 - 2 * wave(index, 365) + random() * 0.3,
        ].map((value) => Math.round(value * 100) / 100),
      }));
  return rows.map(({ at, values: [temperature, ec, ph, gdo] }) => ({
    ...rest,
    at,
    receivedAt: at,
    fields: Object.fromEntries(
      Object.entries({ temperature, ec, ph, gdo }).filter(([, value]) => value !== undefined),
    ),
  }));
}

async function measure(name: string, farm: BenchFarm): Promise<void> {
  const { database } = farm.app;
  const id = sensorIdOf(0);
  const rows = await rowsOf(id);
  let started = performance.now();
  for (let first = 0; first < rows.length; first += BATCH) {
    await storeReadings(database, rows.slice(first, first + BATCH));
  }
  console.log(
    `${name}: ${rows.length} late rows stored and counted, ${Math.round(rows.length / ((performance.now() - started) / 1_000))} a second`,
  );
  started = performance.now();
  await closeHours(database, Date.now());
  console.log(`${"hours closed".padEnd(46)} ${(performance.now() - started).toFixed(1)} ms in all`);
  if (database.kind === "pglite") await database.query("vacuum (analyze)", [], "history");

  const log = (range: string, query = ""): string => {
    const path = range.split("/").map(encodeURIComponent).join("/");
    return `/api/v1/sensor/read/log/${id}/${path}${query}`;
  };
  let bytes = 0;
  const raw = await timesOf(Math.min(3, BENCH.rounds), async () => {
    bytes = 0;
    for (const part of PARTS) bytes += (await farm.get(log(part.join("/")))).text.length;
  });
  console.log(`${"raw list of three years".padEnd(46)} ${spread(raw)}, ${bytes} bytes`);
  for (const [label, range, count] of QUESTIONS) {
    let text = "";
    const times = await timesOf(BENCH.rounds, async () => {
      ({ text } = await farm.get(log(range, `?buckets=${count}`)));
    });
    const made = text.split('"createdDate"').length - 1;
    const isWhole = range.startsWith("2017") && range.includes("/2019");
    const ratio = isWhole
      ? `, ${(median(raw) / median(times)).toFixed(1)} × faster, ${(bytes / text.length).toFixed(1)} × fewer bytes`
      : "";
    console.log(`${label.padEnd(46)} ${spread(times)}, ${made} buckets, ${text.length} bytes${ratio}`);
  }

  const now = Date.now();
  const ids = Array.from({ length: BENCH.sensors }, (_, index) => sensorIdOf(index));
  await storeReadings(
    database,
    ids.map((sensorId, index) => ({
      sensorId,
      at: now,
      receivedAt: now,
      fwversion: "1.0",
      rssi: -70,
      fields: { temperature: 20, ph: 6.5, ec: 1.2, gdo: 9, battery: index % 100 },
    })),
  );
  const latest = await timesOf(BENCH.rounds * 4, () => farm.get(`${latestOfMany.path}?ids=${ids.join(",")}`));
  console.log(`${`latest of ${ids.length} sensors`.padEnd(46)} ${spread(latest)}`);
  const columns = columnsOf(TYPE).join(", ");
  const byField = await timesOf(BENCH.rounds * 4, () =>
    database.query(`select ${columns} from latest where sensor_id = any($1::uuid[])`, [arrayLiteral(ids)]),
  );
  const inOne = await timesOf(BENCH.rounds * 4, () =>
    readLatest(
      database,
      ids.map((sensor) => ({ id: sensor, device_type: TYPE })),
    ),
  );
  console.log(`${"  its statement, field by field".padEnd(46)} ${spread(byField)}`);
  const ratio = (median(byField) / median(inOne)).toFixed(1);
  console.log(`${"  its statement, as one text".padEnd(46)} ${spread(inOne)}, ${ratio} × faster`);
}

console.log(machine());
const pglite = await startBenchFarm(BENCH.sensors, TYPE);
try {
  await measure("PGlite", pglite);
} finally {
  await pglite.close();
}
const server = await startPostgres();
const postgres = await startBenchFarm(BENCH.sensors, TYPE, { DATABASE_URL: server.url });
try {
  await measure("PostgreSQL", postgres);
} finally {
  await postgres.close();
  await server.stop();
}
console.log(machine());
