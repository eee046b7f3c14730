import type { FieldName } from "@mulkko/shared/catalogue/fields";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { arrayLiteral } from "../../database/array-literal.ts";
import { type Database, DatabaseError } from "../../database/database.ts";
import type { BucketRange } from "../ranges.ts";
import { columnOf } from "./columns.ts";
import type { Part, WantedField } from "./part.ts";
import { type LogSource, tableOf } from "./repository.ts";
import { spansOf } from "./spans.ts";
import { EMPTY, type Summary } from "./summary.ts";

type Column = readonly (number | null)[];

/** Times, followed by the fields, each a list over the rows. */
const COLUMNS = Compile(Type.Array(Type.Array(Type.Union([Type.Number(), Type.Null()]))));

function readColumns(text: string): Column[] {
  const value: unknown = JSON.parse(text);
  if (!COLUMNS.Check(value))
    throw new DatabaseError("the database returned rows in an unexpected shape", "XX000", false);
  return value;
}

/** Summarize the values between two rows, oldest first. */
function summaryOf(column: Column, first: number, end: number, circular: boolean): Summary {
  let [count, sum, spread, last, cos, sin] = [0, 0, 0, 0, 0, 0];
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let place = first; place < end; place += 1) {
    const value = column[place];
    if (value === null || value === undefined) continue;
    count += 1;
    sum += value;
    min = Math.min(min, value);
    max = Math.max(max, value);
    last = value;
    if (!circular) continue;
    const angle = (value * Math.PI) / 180;
    cos += Math.cos(angle);
    sin += Math.sin(angle);
  }
  if (count === 0) return EMPTY;
  const mean = sum / count;
  for (let place = first; place < end; place += 1) {
    const value = column[place];
    if (value !== null && value !== undefined) spread += (value - mean) * (value - mean);
  }
  return {
    count,
    min,
    max,
    mean,
    spread,
    last,
    cos: circular ? cos / count : null,
    sin: circular ? sin / count : null,
  };
}

/**
 * Return the ranges with rows, aggregated here: for logs with few rows per hour, where a lookup costs the
 * database more than returning the rows.
 *
 * @param pieces in order
 * @param gap ms between two ranges that are read together
 */
export async function readRowParts(
  database: Database,
  source: LogSource,
  fields: readonly WantedField[],
  pieces: readonly BucketRange[],
  gap: number,
): Promise<Part[]> {
  const spans = spansOf(pieces, gap);
  const instants = (end: "from" | "to"): string =>
    arrayLiteral(spans.map((span) => new Date(span[end]).toISOString()));
  const columns = fields.map(({ name }) => columnOf(name));
  // By column and as one text: with rows, PGlite and the parser are several times as slow.
  const lists = ["(date_part('epoch', at) * 1000)::int8", ...columns].map((column) => `json_agg(${column})`);
  const [row] = await database.query<{ packed: string | null }>(
    `select '[' || concat_ws(',', ${lists.join(", ")}) || ']' as packed
     from unnest($2::timestamptz[], $3::timestamptz[]) as span (since, until)
     cross join lateral (
       select ${["at", ...columns].join(", ")} from ${tableOf(source)} and at >= since and at < until order by at
     ) as found
     having count(*) > 0`,
    [source.deviceId, instants("from"), instants("to")],
    "history",
  );
  const [times = [], ...values] = row?.packed ? readColumns(row.packed) : [];
  const parts: Part[] = [];
  let next = 0;
  const atOf = (place: number): number => times[place] ?? Number.POSITIVE_INFINITY;
  for (const { bucket, from, to } of pieces) {
    while (atOf(next) < from) next += 1;
    const first = next;
    while (atOf(next) < to) next += 1;
    if (next === first) continue;
    const found = new Map<FieldName, Summary>();
    for (const [place, { name, circular }] of fields.entries()) {
      found.set(name, summaryOf(values[place] ?? [], first, next, circular === true));
    }
    parts.push({ bucket, from, count: next - first, fields: found });
  }
  return parts;
}
