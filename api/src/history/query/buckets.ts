import type { Clock } from "@mulkko/shared/rules/clock";
import type { Database } from "../../database/database.ts";
import { rangesOf } from "../ranges.ts";
import { type HistoryState, readState } from "../state.ts";
import { stepOf } from "./answer.ts";
import { inChunks } from "./chunks.ts";
import { fieldsOfType } from "./columns.ts";
import { extentOf } from "./extent.ts";
import { type Bucket, bucketsOf, totalOf } from "./part.ts";
import type { Range } from "./range.ts";
import { readRawParts } from "./raw-parts.ts";
import type { LogSource } from "./repository.ts";
import { readRollupParts } from "./rollup-parts.ts";

/** A log without rollups: only rows. */
const ROWS_ALONE: HistoryState = { rawFrom: 0, closedUntil: 0 };

/** Number of buckets for the time-weighted total of a range, where the caller asks for none. */
export const TOTAL_BUCKETS = 300;

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
  const pieces = rangesOf({ ...range, step }, { ...extent, ...state });

  const parts = await inChunks(clock, pieces.raw, (chunk) => readRawParts(database, source, fields, chunk));
  for (const level of ["hour", "day"] as const) {
    parts.push(
      ...(await inChunks(clock, pieces[level], (chunk) =>
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
  return totalOf(await readBuckets(database, clock, { ...query, step: stepOf(query.range, TOTAL_BUCKETS) }));
}
