/**
 * Measure readings over MQTT with QoS 1: each device waits for its acknowledgements. A reading is
 * acknowledged once it is stored and counted in its hour and day. The runs use the embedded broker and
 * Mosquitto, on PGlite. At the end, compare the rows with the counts of hours and days.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseJson } from "@mulkko/shared/schema/parse";
import { machine } from "@mulkko/testing/bench/figures";
import { startMosquitto } from "@mulkko/testing/engines/mosquitto";
import { Type } from "typebox";
import { closeHours } from "../src/history/closing.ts";
import { cpuLine, cpuSeconds } from "./cpu.ts";
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
  cpu: Type.Number(),
});

/** Run the devices. @param start time of their first reading; no two runs may share it */
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

/** Count stored rows, and the readings counted in hours and days. */
async function countsOf({ app }: BenchFarm): Promise<{ rows: number; hours: number; days: number }> {
  const [row] = await app.database.query<{ rows: number; hours: number; days: number }>(
    `select (select count(*) from reading) as rows,
       (select coalesce(sum(rows), 0)::int8 from reading_hour) as hours,
       (select coalesce(sum(rows), 0)::int8 from reading_day) as days`,
  );
  if (!row) throw new Error("nothing counted");
  return row;
}

/**
 * Count readings by the API's metric. The rows themselves are counted at the end, because that loads the
 * database.
 */
function countStored(farm: BenchFarm) {
  let stored = 0;
  farm.app.ingest.onContacts((batch) => {
    stored += batch.length;
  });
  return {
    /** Resolve once this many are stored, or when no more arrive. */
    async reaches(count: number): Promise<void> {
      const since = performance.now();
      while (stored < count && performance.now() - since < DRAIN_WITHIN_MS) await wait(20);
    },
  };
}

const rss = (): string => `${Math.round(process.memoryUsage().rss / MEGABYTE)} MB`;

async function measure(
  name: string,
  farm: BenchFarm,
  url: string,
  key: string | undefined,
  { rate, broker }: { rate: number; broker?: number | undefined },
): Promise<void> {
  const counter = countStored(farm);
  const warm = await publish(url, key, { seconds: 3, rate }, Date.now() - 2 * MINUTE_MS);
  await counter.reaches(warm.acknowledged);
  const before = await countsOf(farm);
  const cpuBefore = await cpuSeconds(broker);
  const { acknowledged, sent, seconds, p50, p99, cpu } = await publish(
    url,
    key,
    { seconds: BENCH.ingestSeconds, rate },
    Date.now() - MINUTE_MS,
  );
  // An external broker acknowledges by itself; the messages it still holds arrive later.
  const drained = performance.now();
  await counter.reaches(warm.acknowledged + acknowledged);
  const storedIn = seconds + (performance.now() - drained) / 1_000;
  const cpuAfter = await cpuSeconds(broker);
  // Hours and days must agree with the rows.
  await closeHours(farm.app.database, Date.now() + 2 * DAY_MS);
  const counts = await countsOf(farm);
  const stored = counts.rows - before.rows;
  console.log(
    `${name.padEnd(10)} ${Math.round(stored / storedIn)} readings/s over ${storedIn.toFixed(1)} s, acknowledged p50 ${p50.toFixed(0)} p99 ${p99.toFixed(0)} ms; ` +
      `sent ${sent}, acknowledged ${acknowledged}, stored ${stored}; rows ${counts.rows}, in hours ${counts.hours}, in days ${counts.days}; ${rss()}`,
  );
  console.log(
    `${name.padEnd(10)} CPU seconds: ${cpuLine(cpuBefore, cpuAfter, stored)}, devices ${cpu.toFixed(1)}`,
  );
  if (stored !== acknowledged || counts.hours !== counts.rows || counts.days !== counts.rows) {
    console.log(`${name} LOST OR DOUBLED SOMETHING`);
    process.exitCode = 1;
  }
}

/**
 * Measure memory after a number of readings and after as many again. Unbounded growth shows in the second
 * half.
 */
async function measureMemory(farm: BenchFarm, url: string): Promise<void> {
  for (const part of [1, 2, 3, 4]) {
    const quarter = { readings: BENCH.memoryReadings / 4, rate: 0 };
    // From here each device advances one millisecond per reading, so that no two readings share a time.
    await publish(url, DEVICE_KEY, quarter, Date.now());
    const { rows } = await countsOf(farm);
    console.log(`memory     quarter ${part}: ${rows} readings stored, ${rss()}`);
  }
}

async function measureEmbedded(): Promise<void> {
  const farm = await startBenchFarm(BENCH.devices, TYPE);
  try {
    console.log(`started: ${rss()}`);
    const url = `mqtt://127.0.0.1:${farm.app.mqttPort}`;
    await measure("embedded", farm, url, DEVICE_KEY, { rate: 0 });
    await measureMemory(farm, url);
  } finally {
    await farm.close();
  }
}

async function measureMosquitto(): Promise<void> {
  const mosquitto = await startMosquitto({ config: ["max_queued_messages 0"] });
  const farm = await startBenchFarm(BENCH.devices, TYPE, { MQTT_URL: mosquitto.url });
  try {
    await measure("mosquitto", farm, mosquitto.url, undefined, {
      rate: BENCH.externalRate,
      broker: mosquitto.pid,
    });
  } finally {
    await farm.close();
    await mosquitto.stop();
  }
}

console.log(machine());
if (BENCH.way !== "mosquitto") await measureEmbedded();
if (BENCH.way !== "embedded") await measureMosquitto();
console.log(machine());
