/**
 * Readings over MQTT from devices that each wait for their acknowledgements (QoS 1), which come when a reading is
 * stored and counted in its hour and day: through the embedded broker and through Mosquitto, on PGlite. At the end
 * the rows are counted, and what the hours and days have counted.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { machine } from "@mulkko/e2e/bench/figures";
import { startMosquitto } from "@mulkko/e2e/engines/mosquitto";
import { parseJson } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { closeHours } from "../src/history/closing.ts";
import type { BenchFarm } from "./farm.ts";
import { DEVICE_KEY, serialOf, startBenchFarm } from "./farm.ts";
import { BENCH } from "./options.ts";

const DEVICES = fileURLToPath(new URL("./ingest-devices.ts", import.meta.url));
const TYPE = "NUTRIENT";
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const DRAIN_WITHIN_MS = 120_000;
const MEGABYTE = 2 ** 20;
const Outcome = Type.Object({
  sent: Type.Number(),
  acknowledged: Type.Number(),
  seconds: Type.Number(),
  p50: Type.Number(),
  p99: Type.Number(),
});

/** Runs the devices. @param start their time of the first reading; no two runs may share theirs */
async function publish(url: string, key: string | undefined, bound: object, start: number) {
  const given = {
    url,
    devices: BENCH.devices,
    firstSerial: serialOf(0),
    inFlight: BENCH.inFlight,
    start,
    ...bound,
  };
  const options = Object.entries(key === undefined ? given : { ...given, key });
  const child = spawn(process.execPath, [DEVICES, ...options.map(([name, value]) => `--${name}=${value}`)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
  const outcome = parseJson(Outcome, output);
  if (!outcome.ok) throw new Error(`the devices said ${output}`);
  return outcome.value;
}

/** What was stored, and what hours and days have counted of it. */
async function countsOf({ app }: BenchFarm): Promise<{ rows: number; hours: number; days: number }> {
  const [row] = await app.database.query<{ rows: number; hours: number; days: number }>(
    `select (select count(*) from reading) as rows,
       (select coalesce(sum(rows), 0)::int8 from reading_hour) as hours,
       (select coalesce(sum(rows), 0)::int8 from reading_day) as days`,
  );
  if (!row) throw new Error("nothing counted");
  return row;
}

/** The counts once so many rows are there, or when they do not come. */
async function countsWhen(farm: BenchFarm, rows: number): ReturnType<typeof countsOf> {
  const since = performance.now();
  for (;;) {
    const counts = await countsOf(farm);
    if (counts.rows >= rows || performance.now() - since > DRAIN_WITHIN_MS) return counts;
    await wait(100);
  }
}

const rss = (): string => `${Math.round(process.memoryUsage().rss / MEGABYTE)} MB`;

async function measure(
  name: string,
  farm: BenchFarm,
  url: string,
  key: string | undefined,
  rate: number,
): Promise<void> {
  const warm = await publish(url, key, { seconds: 3, rate }, Date.now() - 2 * MINUTE_MS);
  const before = await countsWhen(farm, warm.acknowledged);
  const { acknowledged, sent, seconds, p50, p99 } = await publish(
    url,
    key,
    { seconds: BENCH.ingestSeconds, rate },
    Date.now() - MINUTE_MS,
  );
  // A broker elsewhere acknowledges by itself: what it still holds comes after.
  const drained = performance.now();
  await countsWhen(farm, before.rows + acknowledged);
  // What the hours and days say must be what the rows say.
  const storedIn = seconds + (performance.now() - drained) / 1_000;
  await closeHours(farm.app.database, Date.now() + 2 * DAY_MS);
  const counts = await countsOf(farm);
  const stored = counts.rows - before.rows;
  console.log(
    `${name.padEnd(10)} ${Math.round(stored / storedIn)} readings/s over ${storedIn.toFixed(1)} s, acknowledged p50 ${p50.toFixed(0)} p99 ${p99.toFixed(0)} ms; ` +
      `sent ${sent}, acknowledged ${acknowledged}, stored ${stored}; rows ${counts.rows}, in hours ${counts.hours}, in days ${counts.days}; ${rss()}`,
  );
  if (stored !== acknowledged || counts.hours !== counts.rows || counts.days !== counts.rows) {
    console.log(`${name} LOST OR DOUBLED SOMETHING`);
    process.exitCode = 1;
  }
}

/** Memory after so many readings, and after as many again: where it grows for ever the second half shows it. */
async function measureMemory(farm: BenchFarm, url: string): Promise<void> {
  for (const part of [1, 2, 3, 4]) {
    const quarter = { readings: BENCH.memoryReadings / 4, rate: 0 };
    // From now on, each device a millisecond further with each reading: no reading has the time of another.
    await publish(url, DEVICE_KEY, quarter, Date.now());
    const { rows } = await countsOf(farm);
    console.log(`memory     quarter ${part}: ${rows} readings stored, ${rss()}`);
  }
}

console.log(machine());
const embedded = await startBenchFarm(BENCH.devices, TYPE);
try {
  console.log(`started: ${rss()}`);
  await measure("embedded", embedded, `mqtt://127.0.0.1:${embedded.app.mqttPort}`, DEVICE_KEY, 0);
  await measureMemory(embedded, `mqtt://127.0.0.1:${embedded.app.mqttPort}`);
} finally {
  await embedded.close();
}
const mosquitto = await startMosquitto({ config: ["max_queued_messages 0", "max_inflight_messages 200"] });
const outer = await startBenchFarm(BENCH.devices, TYPE, { MQTT_URL: mosquitto.url });
try {
  await measure("mosquitto", outer, mosquitto.url, undefined, BENCH.outerRate);
} finally {
  await outer.close();
  await mosquitto.stop();
}
console.log(machine());
