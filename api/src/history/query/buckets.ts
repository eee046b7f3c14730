import type { Clock } from "@mulkko/shared/rules/clock";
import type { Database } from "../../database/database.ts";
import { HOUR_MS, hourOf } from "../levels.ts";
import { rangesOf } from "../ranges.ts";
import { type HistoryState, readState } from "../state.ts";
import { totalStepOf } from "./answer.ts";
import { fieldsOfType } from "./columns.ts";
import { type Bucket, bucketsOf, totalOf } from "./part.ts";
import type { Range } from "./range.ts";
import { readRawParts } from "./raw-parts.ts";
import { type LogSource, tableOf } from "./repository.ts";
import { readRollupParts } from "./rollup-parts.ts";

interface ExtentRow {
  readonly first_start?: number | null;
  readonly last_start?: number | null;
  readonly first_at: number | null;
  readonly last_at: number | null;
}

/**
 * Return the first and last time in a range or slightly beyond, so that the cost depends on its rows, not on
 * its years.
 */
async function extentOf(
  database: Database,
  source: LogSource,
  range: Range,
  { closedUntil }: HistoryState,
): Promise<Range | null> {
  // Read the ends of an index; a minimum and a maximum together may scan everything between them.
  const end = (what: string, by: string, table: string, since: string, order = ""): string =>
    `(select ${what} from ${table} and ${by} >= ${since} and ${by} < $3 order by ${by} ${order} limit 1)`;
  const hours = "reading_hour where sensor_id = $1";
  const ofHours = `${end("start", "start", hours, "$4")} as first_start,
    ${end("start", "start", hours, "$4", "desc")} as last_start,`;
  const [row] = await database.query<ExtentRow>(
    `select ${source.channel === null ? ofHours : ""}
       ${end("at", "at", tableOf(source), "$2")} as first_at,
       ${end("at", "at", tableOf(source), "$2", "desc")} as last_at
     from (values ($4::timestamptz)) as unused`,
    [
      source.deviceId,
      new Date(Math.max(range.from, closedUntil)),
      new Date(range.to),
      new Date(hourOf(range.from)),
    ],
    "history",
  );
  const found = [row?.first_start, row?.last_start, row?.first_at, row?.last_at].filter(
    (at) => typeof at === "number",
  );
  return found.length === 0 ? null : { from: Math.min(...found), to: Math.max(...found) + HOUR_MS };
}

/** Items of the first statement; the number adapts to its duration, so that inserts run between two. */
const FIRST_CHUNK = 500;
const SMALLEST_CHUNK = 1;
const LARGEST_CHUNK = 4_000;
const SLOW_MS = 60;
const QUICK_MS = 30;

/** Return the number of items of the next statement after one that took `tookMs`. */
export function nextChunk(chunk: number, tookMs: number): number {
  if (tookMs > SLOW_MS) return Math.max(SMALLEST_CHUNK, Math.floor(chunk / 2));
  return tookMs < QUICK_MS ? Math.min(LARGEST_CHUNK, chunk * 2) : chunk;
}

/** Process everything in chunks, in order. */
export async function inChunks<T, R>(
  clock: Pick<Clock, "monotonic">,
  all: readonly T[],
  read: (chunk: readonly T[]) => Promise<readonly R[]>,
): Promise<R[]> {
  const found: R[] = [];
  let size = FIRST_CHUNK;
  for (let first = 0; first < all.length; ) {
    const chunk = all.slice(first, first + size);
    const started = clock.monotonic();
    for (const one of await read(chunk)) found.push(one);
    size = nextChunk(size, clock.monotonic() - started);
    first += chunk.length;
  }
  return found;
}

/** A log without rollups: only rows. */
const ROWS_ALONE: HistoryState = { rawFrom: 0, closedUntil: 0 };

/** The requested buckets. */
export interface BucketQuery {
  readonly source: LogSource;
  readonly range: Range;
  /** Length of a bucket, ms. */
  readonly step: number;
  /** Names of the requested fields; all where absent. */
  readonly only?: ReadonlySet<string> | undefined;
}

/**
 * Return the non-empty buckets of a range, in order, each `step` ms long and counted from the range's start.
 * Rollups supply whole days and hours, rows the rest. The result is the same as from rows alone.
 */
export async function readBuckets(
  database: Database,
  clock: Pick<Clock, "monotonic">,
  { source, range, step, only }: BucketQuery,
): Promise<Bucket[]> {
  const state = source.channel === null ? await readState(database, source.deviceId) : ROWS_ALONE;
  const extent = await extentOf(database, source, range, state);
  if (!extent) return [];
  const fields = fieldsOfType(source.deviceType).filter(({ name }) => !only || only.has(name));
  const ranges = rangesOf({ ...range, step }, { ...extent, ...state });

  const parts = await inChunks(clock, ranges.raw, (chunk) => readRawParts(database, source, fields, chunk));
  for (const level of ["hour", "day"] as const) {
    parts.push(
      ...(await inChunks(clock, ranges[level], (chunk) =>
        readRollupParts(database, source, level, fields, chunk),
      )),
    );
  }
  return bucketsOf(parts);
}

/** Return everything in a range as one bucket with time-weighted means; undefined for an empty range. */
export async function readTotal(
  database: Database,
  clock: Pick<Clock, "monotonic">,
  query: Omit<BucketQuery, "step">,
): Promise<Bucket | undefined> {
  return totalOf(await readBuckets(database, clock, { ...query, step: totalStepOf(query.range) }));
}
