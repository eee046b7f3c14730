import type { Clock } from "@mulkko/shared/rules/clock";
import type { Database } from "../../database/database.ts";
import { DAY_MS, dayOf, HOUR_MS } from "../levels.ts";
import { type BucketRange, rangesOf } from "../ranges.ts";
import { type HistoryState, readState } from "../state.ts";
import { stepOf } from "./answer.ts";
import { inChunks } from "./chunks.ts";
import { fieldsOfType } from "./columns.ts";
import { extentOf } from "./extent.ts";
import { readPackedParts } from "./packed-parts.ts";
import { type Bucket, bucketsOf, type Part, totalOf } from "./part.ts";
import type { Range } from "./range.ts";
import { readRawParts } from "./raw-parts.ts";
import type { LogSource } from "./repository.ts";
import { readRollupParts } from "./rollup-parts.ts";
import { readRowParts } from "./row-parts.ts";

/** A log without rollups: only rows. */
const ROWS_ALONE: HistoryState = { rawFrom: 0, closedUntil: 0 };

/** Number of buckets for the time-weighted total of a range, where the caller asks for none. */
export const TOTAL_BUCKETS = 300;

/** Most days in one range of a packed level: longer ones are read in several. */
const MOST_DAYS = 100;
/** From this many rows per hour on, the database aggregates them itself. */
const DENSE_ROWS_AN_HOUR = 60;
/** Rows between two ranges that are read instead of querying the second one separately. */
const GAP_ROWS = 8;

/** Units of work, see {@link inChunks}: an index lookup, an unpacked day, a returned row. */
const LOOK_WORK = 0.25;
const DAY_WORK = 0.2;
const ROW_WORK = 0.05;

/** The requested buckets. */
export interface BucketQuery {
  readonly source: LogSource;
  readonly range: Range;
  /** Length of a bucket, ms. */
  readonly step: number;
  /** Names of the requested fields; all where absent. */
  readonly only?: ReadonlySet<string> | undefined;
}

type KeptPiece = BucketRange & { readonly level: "hour" | "day" };

const shortened = ({ bucket, from, to }: BucketRange): BucketRange[] =>
  Array.from({ length: Math.ceil((to - from) / (MOST_DAYS * DAY_MS)) }, (_, index) => {
    const begin = from + index * MOST_DAYS * DAY_MS;
    return { bucket, from: begin, to: Math.min(to, begin + MOST_DAYS * DAY_MS) };
  });

const daysOf = ({ from, to }: BucketRange): number => (to - dayOf(from)) / DAY_MS;

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

  const rowsOf = ({ from, to }: BucketRange): number => (extent.rowsAnHour * (to - from)) / HOUR_MS;
  const gap = (GAP_ROWS * HOUR_MS) / Math.max(1, extent.rowsAnHour);
  const raw =
    extent.rowsAnHour < DENSE_ROWS_AN_HOUR
      ? await inChunks(
          clock,
          pieces.raw,
          (piece) => LOOK_WORK + ROW_WORK * rowsOf(piece),
          (chunk) => readRowParts(database, source, fields, chunk, gap),
        )
      : await inChunks(
          clock,
          pieces.raw,
          () => 1,
          (chunk) => readRawParts(database, source, fields, chunk),
        );

  const today = dayOf(state.closedUntil);
  const over: KeptPiece[] = [
    ...pieces.hour.filter(({ to }) => to <= today).map((piece) => ({ ...piece, level: "hour" as const })),
    ...pieces.day.flatMap(shortened).map((piece) => ({ ...piece, level: "day" as const })),
  ].sort((a, b) => a.from - b.from);
  const unpacked: KeptPiece[] = [];
  const packed = await inChunks(
    clock,
    over,
    (piece) => DAY_WORK * daysOf(piece),
    async (chunk) => {
      const found = await readPackedParts(database, source.deviceId, fields, chunk);
      unpacked.push(...found.unpacked);
      return found.parts;
    },
  );

  const kept: Part[] = [];
  const rest = {
    hour: [
      ...unpacked.filter(({ level }) => level === "hour"),
      ...pieces.hour.filter(({ to }) => to > today),
    ],
    day: unpacked.filter(({ level }) => level === "day"),
  };
  for (const level of ["hour", "day"] as const) {
    const read = (chunk: readonly BucketRange[]) => readRollupParts(database, source, level, fields, chunk);
    kept.push(...(await inChunks(clock, rest[level], () => 1, read)));
  }
  return bucketsOf([...raw, ...packed, ...kept]);
}

/** Return everything in a range as one bucket with time-weighted means; undefined for an empty range. */
export async function readTotal(
  database: Database,
  clock: Pick<Clock, "monotonic">,
  query: Omit<BucketQuery, "step">,
): Promise<Bucket | undefined> {
  return totalOf(await readBuckets(database, clock, { ...query, step: stepOf(query.range, TOTAL_BUCKETS) }));
}
