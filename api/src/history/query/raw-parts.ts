import type { FieldName } from "@mulkko/shared/catalogue/fields";
import type { Database } from "../../database/database.ts";
import { arrayLiteral, queryPacked } from "../../database/packed-rows.ts";
import type { BucketRange } from "../ranges.ts";
import { columnOf } from "./columns.ts";
import type { Part, WantedField } from "./part.ts";
import { type LogSource, tableOf } from "./repository.ts";
import type { Summary } from "./summary.ts";

interface PartRow extends Readonly<Record<string, number | null>> {
  readonly bucket: number;
  readonly since: number;
  readonly count: number;
}

interface Aggregate {
  /** `f{index}` keeps the column names short and distinct from the field's own. */
  readonly name: string;
  readonly sql: string;
}

function aggregates({ name, circular }: WantedField, place: number): Aggregate[] {
  const column = columnOf(name);
  const angle = `radians(${column})`;
  const parts = {
    n: `count(${column})`,
    min: `min(${column})`,
    max: `max(${column})`,
    avg: `avg(${column})`,
    spread: `coalesce(var_pop(${column}), 0) * count(${column})`,
    last: `(array_agg(${column} order by at desc) filter (where ${column} is not null))[1]`,
    ...(circular ? { cos: `avg(cos(${angle}))`, sin: `avg(sin(${angle}))` } : {}),
  };
  return Object.entries(parts).map(([part, sql]) => ({ name: `f${place}${part}`, sql }));
}

function summaryOf(row: PartRow, place: number): Summary {
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

/** Return the ranges with rows, aggregated by the database: for logs with many rows per hour. */
export async function readRawParts(
  database: Database,
  source: LogSource,
  fields: readonly WantedField[],
  ranges: readonly BucketRange[],
): Promise<Part[]> {
  const wanted = fields.flatMap((field, place) => aggregates(field, place));
  const columns = ["count(*) as count", ...wanted.map(({ name, sql }) => `${sql} as ${name}`)].join(", ");
  const rows = await queryPacked<PartRow>(database, {
    columns: ["bucket", "since", "count", ...wanted.map(({ name }) => name)],
    times: ["since"],
    from: `unnest($2::int[], $3::timestamptz[], $4::timestamptz[]) as bucket_range (bucket, since, until)
     cross join lateral (
       select ${columns} from ${tableOf(source)} and at >= since and at < until
         and at >= $5 and at < $6
     ) as found
     where found.count > 0`,
    params: [
      source.deviceId,
      arrayLiteral(ranges.map(({ bucket }) => bucket)),
      arrayLiteral(ranges.map(({ from }) => new Date(from).toISOString())),
      arrayLiteral(ranges.map(({ to }) => new Date(to).toISOString())),
      // The database plans only the months between these: it does not know the ranges beforehand.
      new Date(Math.min(...ranges.map(({ from }) => from))),
      new Date(Math.max(...ranges.map(({ to }) => to))),
    ],
    queue: "history",
  });
  return rows.map((row) => {
    const found = new Map<FieldName, Summary>();
    for (const [place, { name }] of fields.entries()) found.set(name, summaryOf(row, place));
    return { bucket: row.bucket, from: row.since, count: row.count, fields: found };
  });
}
