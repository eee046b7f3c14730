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

/** Counts what the farm API says is stored; the rows themselves are counted at the end, which takes the database. */
function countStored(farm: BenchFarm) {
  let stored = 0;
  farm.app.ingest.whenHeard((batch) => {
    stored += batch.length;
  });
  return {
    /** Resolves once so many are stored, or when they do not come. */
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
  // A broker elsewhere acknowledges by itself: what it still holds comes after.
  const drained = performance.now();
  await counter.reaches(warm.acknowledged + acknowledged);
  const storedIn = seconds + (performance.now() - drained) / 1_000;
  const cpuAfter = await cpuSeconds(broker);
  // What the hours and days say must be what the rows say.
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
      rate: BENCH.outerRate,
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
