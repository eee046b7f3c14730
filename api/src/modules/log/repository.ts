import type { FieldName } from "@mulkko/shared/catalogue/fields";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { Database } from "../../database/database.ts";
import { columnOf, fieldsOfType, type ReadingRow, selectOf } from "./columns.ts";
import type { Range } from "./range.ts";
import { EMPTY, merge, type Summary } from "./summary.ts";

/** Rows in one slice of a plain log, and most rows in an answer: the newest ones. */
const PAGE_ROWS = 2_000;
export const MAX_ROWS = 50_000;

/**
 * Part of a range that one statement covers, so that inserts pass between two of them: it shrinks and grows with
 * the time that statements take.
 */
const FIRST_SLICE_MS = 86_400_000;
const SHORTEST_SLICE_MS = 600_000;
const LONGEST_SLICE_MS = 64 * 86_400_000;
const SLOW_MS = 40;
const QUICK_MS = 15;

/** The next slice's length after one that took `tookMs`. */
export function nextSlice(slice: number, tookMs: number): number {
  if (tookMs > SLOW_MS) return Math.max(SHORTEST_SLICE_MS, slice / 2);
  return tookMs < QUICK_MS ? Math.min(LONGEST_SLICE_MS, slice * 2) : slice;
}

/** What one log is about. */
export interface LogSource {
  readonly deviceId: string;
  readonly deviceType: string;
  /** The channel of a COT log; null for a sensor's own readings. */
  readonly channel: number | null;
}

/** A sensor's readings, or a channel's COT log under the same names. */
function tableOf({ channel }: LogSource): string {
  return channel === null
    ? "reading where sensor_id = $1"
    : "(select device_id as sensor_id, number, at, at as received_at, null::text as fwversion, " +
        "null::double precision as rssi, valve, moisture from cot_log) log where sensor_id = $1 and number = " +
        String(channel);
}

/** The rows of a range, oldest first; where there are too many, the newest {@link MAX_ROWS}. */
export async function readRows(database: Database, source: LogSource, range: Range): Promise<ReadingRow[]> {
  const sql = `select ${selectOf(source.deviceType)} from ${tableOf(source)}
    and at >= $2 and at < $3 order by at desc limit ${PAGE_ROWS}`;
  const rows: ReadingRow[] = [];
  let to = range.to;
  while (rows.length < MAX_ROWS) {
    const page = await database.query<ReadingRow>(
      sql,
      [source.deviceId, new Date(range.from), new Date(to)],
      "history",
    );
    rows.push(...page);
    const oldest = page.at(-1);
    if (!oldest || page.length < PAGE_ROWS) break;
    to = oldest.at;
  }
  return rows.reverse();
}

/** A bucket of a range: its place counted from the range's start, its rows, and each field over them. */
export interface Bucket {
  readonly index: number;
  readonly count: number;
  readonly fields: ReadonlyMap<FieldName, Summary>;
}

interface BucketRow extends Readonly<Record<string, number | null>> {
  /** Its start, ms since 1970 UTC. */
  readonly bucket: number;
  readonly count: number;
}

/** Aggregates of one field; `f{place}` keeps the column names short and free of the field's own. */
function aggregates(name: FieldName, place: number, circular: boolean): string[] {
  const column = columnOf(name);
  const angle = `radians(${column})`;
  const parts = [
    `count(${column}) as f${place}n`,
    `min(${column}) as f${place}min`,
    `max(${column}) as f${place}max`,
    `avg(${column}) as f${place}avg`,
    `coalesce(var_pop(${column}), 0) * count(${column}) as f${place}spread`,
    `(array_agg(${column} order by at desc) filter (where ${column} is not null))[1] as f${place}last`,
  ];
  return circular
    ? [...parts, `avg(cos(${angle})) as f${place}cos`, `avg(sin(${angle})) as f${place}sin`]
    : parts;
}

function summaryOf(row: BucketRow, place: number): Summary {
  const of = (name: string): number | null => row[`f${place}${name}`] ?? null;
  return {
    count: of("n") ?? 0,
    min: of("min"),
    max: of("max"),
    mean: of("avg"),
    spread: of("spread") ?? 0,
    last: of("last"),
    cos: of("cos"),
    sin: of("sin"),
  };
}

/** First and last row in a range, so that a range of years costs what its rows cost. */
async function extentOf(database: Database, source: LogSource, range: Range): Promise<Range | null> {
  // Two looks at the ends of the index; a minimum and a maximum together may read everything between them.
  const rows = `from ${tableOf(source)} and at >= $2 and at < $3 order by at`;
  const [row] = await database.query<{ first: number | null; last: number | null }>(
    `select (select at ${rows} limit 1) as first, (select at ${rows} desc limit 1) as last`,
    [source.deviceId, new Date(range.from), new Date(range.to)],
    "history",
  );
  return row && row.first !== null && row.last !== null ? { from: row.first, to: row.last + 1 } : null;
}

/** Which buckets are asked for. */
export interface BucketQuery {
  readonly source: LogSource;
  readonly range: Range;
  /** Length of a bucket, ms. */
  readonly step: number;
  /** Names of the fields that are wanted; all where absent. */
  readonly only?: ReadonlySet<string> | undefined;
}

/**
 * The buckets of a range that have rows, in order, each `step` ms long and counted from the range's start.
 * Computed by the database in slices, and put together here.
 */
export async function readBuckets(
  database: Database,
  clock: Pick<Clock, "monotonic">,
  { source, range, step, only }: BucketQuery,
): Promise<Bucket[]> {
  const fields = fieldsOfType(source.deviceType).filter(({ name }) => !only || only.has(name));
  const columns = fields.flatMap(({ name, circular }, place) => aggregates(name, place, circular === true));
  const sql = `select date_bin($5::interval, at, $4::timestamptz) as bucket,
      count(*) as count${columns.map((column) => `, ${column}`).join("")}
    from ${tableOf(source)} and at >= $2 and at < $3 group by 1 order by 1`;
  const buckets = new Map<number, { count: number; fields: Map<FieldName, Summary> }>();
  const extent = await extentOf(database, source, range);
  if (!extent) return [];
  let slice = FIRST_SLICE_MS;
  for (let from = extent.from; from < extent.to; ) {
    const to = Math.min(extent.to, from + slice);
    const started = clock.monotonic();
    const rows = await database.query<BucketRow>(
      sql,
      [source.deviceId, new Date(from), new Date(to), new Date(range.from), `${step} milliseconds`],
      "history",
    );
    slice = nextSlice(slice, clock.monotonic() - started);
    from = to;
    for (const row of rows) {
      const index = Math.round((row.bucket - range.from) / step);
      const bucket = buckets.get(index) ?? { count: 0, fields: new Map<FieldName, Summary>() };
      buckets.set(index, bucket);
      bucket.count += row.count;
      for (const [place, { name }] of fields.entries()) {
        bucket.fields.set(name, merge(bucket.fields.get(name) ?? EMPTY, summaryOf(row, place)));
      }
    }
  }
  return [...buckets].map(([index, bucket]) => ({ index, ...bucket }));
}
