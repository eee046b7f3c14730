/**
 * Simulate one day of a farm in a few minutes. Each sensor sends every 17 s of an accelerated clock. `latest`
 * is updated half a million times, hours are closed and scheduled database jobs run when due.
 *
 * At several points, measure the size of the data folder beside readings, hours and days. Also measure how
 * long the farm API takes to start after a clean stop and after a crash. The baseline is the first point.
 */
import { cp, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { topic } from "@mulkko/shared/mqtt/topics";
import { machine, median } from "@mulkko/testing/bench/figures";
import { build } from "../src/app.ts";
import type { Database } from "../src/database/database.ts";
import type { App } from "../src/http/server.ts";
import { benchConfig, fillFarm, serialOf } from "./farm.ts";
import { BENCH } from "./options.ts";

const HOUR_MS = 3_600_000;
const CHECKPOINT_MS = 5 * 60_000;
const MEGABYTE = 2 ** 20;
const STARTS = 3;
const STEP_MS = HOUR_MS / BENCH.growthReadings;

let now = Date.now();
const clock = { now: () => now, monotonic: () => performance.now() };
const megabytes = (bytes: number): number => Math.round((bytes / MEGABYTE) * 10) / 10;

async function sizeOf(folder: string): Promise<number> {
  let total = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) total += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return total;
}

/**
 * Return the bytes of readings with their hours and days, which are meant to grow, and of `latest`, which is
 * not.
 */
async function tablesOf(database: Database): Promise<{ history: number; latest: number; readings: number }> {
  const [row] = await database.query<{ history: number; latest: number; readings: number }>(
    `select (select sum(pg_total_relation_size(relid))::int8 from pg_partition_tree('reading'))
         + pg_total_relation_size('reading_hour') + pg_total_relation_size('reading_day') as history,
       pg_total_relation_size('latest') as latest, (select count(*) from reading) as readings`,
  );
  if (!row) throw new Error("no sizes");
  return row;
}

/** Send one hour of readings and run the jobs that fall due in it. */
async function liveAnHour(app: App): Promise<void> {
  const until = now + HOUR_MS;
  let nextCheckpoint = now + CHECKPOINT_MS;
  for (; now < until; now += STEP_MS) {
    const at = new Date(now).toISOString();
    const wave = Math.round(Math.sin(now / HOUR_MS) * 100) / 10;
    const payload = Buffer.from(JSON.stringify({ at, temperature: 20 + wave, ph: 6.5, ec: 1.2, gdo: 9 }));
    await Promise.all(
      Array.from({ length: BENCH.growthSensors }, (_, index) =>
        app.ingest.handle({
          topic: topic.up(serialOf(index)),
          payload,
          duplicate: false,
          retained: false,
          connection: "bench",
        }),
      ),
    );
    if (now < nextCheckpoint) continue;
    nextCheckpoint += CHECKPOINT_MS;
    await app.maintenance.checkpoint();
  }
  await app.jobs.minutely();
  await app.jobs.hourly();
  await app.maintenance.clear();
}

/** Milliseconds from launch until the farm API accepts messages, and the CPU part of it. */
interface Start {
  readonly ms: number;
  readonly cpuMs: number;
}

async function startOf(folder: string): Promise<Start> {
  const started = performance.now();
  const before = process.cpuUsage();
  const app = await build(benchConfig(folder), { clock });
  const { user, system } = process.cpuUsage(before);
  const ms = performance.now() - started;
  await app.close();
  return { ms, cpuMs: (user + system) / 1_000 };
}

/** Return the median of several starts. */
async function startsOf(folder: string): Promise<Start> {
  const starts: Start[] = [];
  for (let turn = 0; turn < STARTS; turn += 1) starts.push(await startOf(folder));
  return { ms: median(starts.map(({ ms }) => ms)), cpuMs: median(starts.map(({ cpuMs }) => cpuMs)) };
}

/** Measure one start from a folder copied during operation, as after a killed process. */
async function startOfBroken(folder: string): Promise<Start> {
  const copy = `${folder}-broken`;
  await cp(folder, copy, { recursive: true });
  try {
    return await startOf(copy);
  } finally {
    await rm(copy, { recursive: true });
  }
}

interface Look {
  readonly rest: number;
  readonly latest: number;
  readonly start: Start;
  readonly broken: Start;
}

const shown = ({ ms, cpuMs }: Start): string => `${Math.round(ms)} ms (${Math.round(cpuMs)} of CPU)`;

console.log(machine());
const folder = await mkdtemp(join(tmpdir(), "mulkko-bench-"));
let app = await build(benchConfig(folder), { clock });
const looks: Look[] = [];
try {
  await fillFarm(app.database, BENCH.growthSensors, "NUTRIENT");
  await app.deviceIndex.reload();
  const hours = Math.ceil(BENCH.growthHours / BENCH.growthPoints);
  for (let hour = 1; hour <= BENCH.growthHours; hour += 1) {
    await liveAnHour(app);
    if (hour % hours !== 0) continue;
    const { history, latest, readings } = await tablesOf(app.database);
    const rest = (await sizeOf(folder)) - history;
    const broken = await startOfBroken(folder);
    await app.close();
    const start = await startsOf(folder);
    app = await build(benchConfig(folder), { clock });
    looks.push({ rest, latest, start, broken });
    console.log(
      `${String(hour).padStart(3)} h, ${readings} readings: readings ${megabytes(history)} MB, everything else ${megabytes(rest)} MB, ` +
        `of it latest ${megabytes(latest)} MB; start ${shown(start)}, after breaking off ${shown(broken)}`,
    );
  }
  const [first] = looks;
  const last = looks.at(-1);
  if (!first || !last) throw new Error("there was no point to look at");
  const ratio = (of: (look: Look) => number): string => (of(last) / of(first)).toFixed(2);
  console.log(
    `last point to first: everything but readings ${ratio(({ rest }) => rest)}, latest ${ratio(({ latest }) => latest)}; ` +
      `start ${ratio(({ start }) => start.ms)} (CPU ${ratio(({ start }) => start.cpuMs)}), ` +
      `after breaking off ${ratio(({ broken }) => broken.ms)} (CPU ${ratio(({ broken }) => broken.cpuMs)})`,
  );
  console.log(machine());
} finally {
  await app.close();
  await rm(folder, { recursive: true, force: true });
}
