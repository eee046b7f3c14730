import type { Clock } from "@mulkko/shared/rules/clock";
import type { Database } from "../../database/database.ts";
import { HOUR_MS, hourOf } from "../../history/levels.ts";
import { type Piece, piecesOf } from "../../history/pieces.ts";
import { type HistoryState, readState } from "../../history/state.ts";
import { fieldsOfType } from "./columns.ts";
import { type Bucket, bucketsOf, type Part } from "./part.ts";
import type { Range } from "./range.ts";
import { readRawParts } from "./raw-parts.ts";
import { type LogSource, tableOf } from "./repository.ts";
import { readRollupParts } from "./rollup-parts.ts";

/**
 * Pieces that one statement covers, so that inserts pass between two of them: they shrink and grow with the time
 * that statements take.
 */
const FIRST_CHUNK = 250;
const SMALLEST_CHUNK = 1;
const LARGEST_CHUNK = 4_000;
const SLOW_MS = 60;
const QUICK_MS = 30;

/** How many pieces go into the next statement after one that took `tookMs`. */
export function nextChunk(chunk: number, tookMs: number): number {
  if (tookMs > SLOW_MS) return Math.max(SMALLEST_CHUNK, Math.floor(chunk / 2));
  return tookMs < QUICK_MS ? Math.min(LARGEST_CHUNK, chunk * 2) : chunk;
}

/** A log without rollups: rows alone. */
const ROWS_ALONE: HistoryState = { rawFrom: 0, closedUntil: 0 };

/** First and last in a range or a little beyond, so that a range of years costs what its rows cost. */
async function extentOf(
  database: Database,
  source: LogSource,
  range: Range,
  { closedUntil }: HistoryState,
): Promise<Range | null> {
  // Two looks at the ends of an index; a minimum and a maximum together may read everything between them.
  const ends = (column: string, table: string, since: string): string => {
    const rows = `select ${column} from ${table} and ${column} >= ${since} and ${column} < $3 order by ${column}`;
    return `(${rows} limit 1) as first_${column}, (${rows} desc limit 1) as last_${column}`;
  };
  const hours = source.channel === null ? `${ends("start", "reading_hour where sensor_id = $1", "$4")},` : "";
  const [row] = await database.query<Record<string, number | null>>(
    `select ${hours} ${ends("at", tableOf(source), "$2")}
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

/** Which buckets are asked for. */
export interface BucketQuery {
  readonly source: LogSource;
  readonly range: Range;
  /** Length of a bucket, ms. */
  readonly step: number;
  /** Names of the fields that are wanted; all where absent. */
  readonly only?: ReadonlySet<string> | undefined;
  /** Whether spreads are wanted too; without them they are 0. */
  readonly withSpread?: boolean;
}

/**
 * The buckets of a range that have rows, in order, each `step` ms long and counted from the range's start: whole
 * days and hours of what is kept of them, the rest of the rows. What it says is what the rows say.
 */
export async function readBuckets(
  database: Database,
  clock: Pick<Clock, "monotonic">,
  { source, range, step, only, withSpread = false }: BucketQuery,
): Promise<Bucket[]> {
  const state = source.channel === null ? await readState(database, source.deviceId) : ROWS_ALONE;
  const extent = await extentOf(database, source, range, state);
  if (!extent) return [];
  const fields = fieldsOfType(source.deviceType).filter(({ name }) => !only || only.has(name));
  const pieces = piecesOf({ ...range, step }, { ...extent, ...state });

  const parts: Part[] = [];
  const inChunks = async (
    all: readonly Piece[],
    read: (chunk: readonly Piece[]) => Promise<Part[]>,
  ): Promise<void> => {
    let size = FIRST_CHUNK;
    for (let first = 0; first < all.length; ) {
      const chunk = all.slice(first, first + size);
      const started = clock.monotonic();
      parts.push(...(await read(chunk)));
      first += chunk.length;
      size = nextChunk(size, clock.monotonic() - started);
    }
  };
  await inChunks(pieces.raw, (chunk) => readRawParts(database, source, fields, chunk, withSpread));
  for (const level of ["hour", "day"] as const) {
    await inChunks(pieces[level], (chunk) =>
      readRollupParts(database, source, level, fields, chunk, withSpread),
    );
  }
  return bucketsOf(parts);
}

/** Everything in a range as one bucket, with spreads; undefined where there is nothing. */
export async function readTotal(
  database: Database,
  clock: Pick<Clock, "monotonic">,
  query: Omit<BucketQuery, "step" | "withSpread">,
): Promise<Bucket | undefined> {
  const step = query.range.to - query.range.from;
  const [total] = await readBuckets(database, clock, { ...query, step, withSpread: true });
  return total;
}
