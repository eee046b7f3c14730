import type { FieldName } from "@mulkko/shared/catalogue/fields";
import { arrayLiteral } from "../../database/array-literal.ts";
import type { Database } from "../../database/database.ts";
import { DAY_MS, dayFrom, dayOf, HOUR_MS } from "../levels.ts";
import { type HourColumns, hourColumns, unpackField, unpackRows } from "../packed-day.ts";
import type { BucketRange } from "../ranges.ts";
import type { Part, WantedField } from "./part.ts";
import { spansOf } from "./spans.ts";
import { EMPTY, merge, type Summary } from "./summary.ts";

/** Packed hours by the start of their day, ms; an empty text where they are not packed. */
type PackedDays = ReadonlyMap<number, string>;

/** Days between two others that are read with them rather than skipped. */
const GAP_MS = 2 * DAY_MS;
const SECONDS_OF_DAY = DAY_MS / 1_000;

const instants = (times: readonly number[]): string =>
  arrayLiteral(times.map((at) => new Date(at).toISOString()));

/** Return all days as one text: PGlite is several times as slow for many rows. */
async function readDays(
  database: Database,
  deviceId: string,
  pieces: readonly BucketRange[],
): Promise<PackedDays> {
  const spans = spansOf(
    pieces.map(({ from, to }) => ({ from: dayOf(from), to: dayFrom(to) })),
    GAP_MS,
  );
  const [row] = await database.query<{ days: string | null; hours: string | null }>(
    `select string_agg((date_part('epoch', start) / ${SECONDS_OF_DAY})::int::text, ',') as days,
       string_agg(coalesce(hours, ''), ',') as hours
     from unnest($2::timestamptz[], $3::timestamptz[]) as span (since, until)
     cross join lateral (
       select start, hours from reading_day where sensor_id = $1 and start >= since and start < until
     ) as day`,
    [deviceId, instants(spans.map(({ from }) => from)), instants(spans.map(({ to }) => to))],
    "history",
  );
  if (!row || row.days === null) return new Map();
  const hours = (row.hours ?? "").split(",");
  return new Map(row.days.split(",").map((day, index) => [Number(day) * DAY_MS, hours[index] ?? ""]));
}

/** Count the readings between two hours of a day. */
function rowsWithin({ length, hours, columns }: HourColumns, first: number, last: number): number {
  const [rows] = columns;
  let sum = 0;
  for (let place = 0; place < length; place += 1) {
    const hour = hours[place] ?? last;
    if (hour >= first && hour < last) sum += rows?.[place] ?? 0;
  }
  return sum;
}

const NONE = new Float64Array();

/** Summarize a field between two hours of a day. */
function summaryWithin(
  { length, hours, columns }: HourColumns,
  first: number,
  last: number,
  circular: boolean,
): Summary {
  // In the order of packing.
  const [
    counts = NONE,
    sums = NONE,
    mins = NONE,
    maxs = NONE,
    lasts = NONE,
    spreads = NONE,
    coss = NONE,
    sins = NONE,
  ] = columns;
  let begin = 0;
  while (begin < length && (hours[begin] ?? 0) < first) begin += 1;
  let end = begin;
  while (end < length && (hours[end] ?? 0) < last) end += 1;
  if (begin === end) return EMPTY;
  let [count, sum, spread, cos, sin] = [0, 0, 0, 0, 0];
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let place = begin; place < end; place += 1) {
    count += counts[place] ?? 0;
    sum += sums[place] ?? 0;
    min = Math.min(min, mins[place] ?? 0);
    max = Math.max(max, maxs[place] ?? 0);
    if (!circular) continue;
    cos += coss[place] ?? 0;
    sin += sins[place] ?? 0;
  }
  const mean = sum / count;
  // Distances from the known mean: plain squares of the values would lose precision.
  for (let place = begin; place < end; place += 1) {
    const own = counts[place] ?? 0;
    const distance = (sums[place] ?? 0) / own - mean;
    spread += (spreads[place] ?? 0) + own * distance * distance;
  }
  return {
    count,
    min,
    max,
    mean,
    spread,
    last: lasts[end - 1] ?? null,
    cos: circular ? cos / count : null,
    sin: circular ? sin / count : null,
  };
}

/** A range of which some days are already merged. */
interface Growing {
  readonly piece: BucketRange;
  count: number;
  readonly summaries: Summary[];
}

/** Unpack each day once, and add its hours to the ranges that contain them. */
function partsOf(days: PackedDays, fields: readonly WantedField[], pieces: readonly BucketRange[]): Part[] {
  const byDay = new Map<number, Growing[]>();
  const growing = pieces.map((piece) => {
    const one: Growing = { piece, count: 0, summaries: fields.map(() => EMPTY) };
    for (let day = dayOf(piece.from); day < piece.to; day += DAY_MS) {
      const others = byDay.get(day);
      if (others) others.push(one);
      else byDay.set(day, [one]);
    }
    return one;
  });
  const hours = hourColumns();
  for (const [day, ones] of byDay) {
    const text = days.get(day);
    if (text === undefined) continue;
    unpackRows(text, hours);
    for (const one of ones) {
      one.count += rowsWithin(hours, (one.piece.from - day) / HOUR_MS, (one.piece.to - day) / HOUR_MS);
    }
    for (const [place, { name, circular }] of fields.entries()) {
      unpackField(text, name, hours);
      if (hours.length === 0) continue;
      for (const { piece, summaries } of ones) {
        const [first, last] = [(piece.from - day) / HOUR_MS, (piece.to - day) / HOUR_MS];
        const more = summaryWithin(hours, first, last, circular === true);
        summaries[place] = merge(summaries[place] ?? EMPTY, more);
      }
    }
  }
  return growing.flatMap(({ piece: { bucket, from }, count, summaries }) =>
    count === 0
      ? []
      : [
          {
            bucket,
            from,
            count,
            fields: new Map<FieldName, Summary>(
              fields.map(({ name }, place) => [name, summaries[place] ?? EMPTY]),
            ),
          },
        ],
  );
}

function isPacked(days: PackedDays, { from, to }: BucketRange): boolean {
  for (let day = dayOf(from); day < to; day += DAY_MS) if (days.get(day) === "") return false;
  return true;
}

/**
 * Compute ranges of whole hours of past days from the days' packed hours.
 *
 * @param pieces in order
 * @returns the parts with rows, and the ranges with a day that is not packed
 */
export async function readPackedParts<P extends BucketRange>(
  database: Database,
  deviceId: string,
  fields: readonly WantedField[],
  pieces: readonly P[],
): Promise<{ parts: Part[]; unpacked: P[] }> {
  const days = await readDays(database, deviceId, pieces);
  const { packed = [], unpacked = [] } = Object.groupBy(pieces, (piece) =>
    isPacked(days, piece) ? "packed" : "unpacked",
  );
  return { parts: partsOf(days, fields, packed), unpacked };
}
