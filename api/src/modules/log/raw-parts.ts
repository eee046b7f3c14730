import type { FieldName } from "@mulkko/shared/catalogue/fields";
import { arrayLiteral } from "../../database/array-literal.ts";
import type { Database } from "../../database/database.ts";
import type { Piece } from "../../history/pieces.ts";
import { columnOf } from "./columns.ts";
import type { Part, WantedField } from "./part.ts";
import { type LogSource, tableOf } from "./repository.ts";
import type { Summary } from "./summary.ts";

interface PartRow extends Readonly<Record<string, number | null>> {
  readonly bucket: number;
  readonly since: number;
  readonly count: number;
}

/** Aggregates of one field; `f{place}` keeps the column names short and free of the field's own. */
function aggregates({ name, circular }: WantedField, place: number, withSpread: boolean): string[] {
  const column = columnOf(name);
  const angle = `radians(${column})`;
  const parts = [
    `count(${column}) as f${place}n`,
    `min(${column}) as f${place}min`,
    `max(${column}) as f${place}max`,
    `avg(${column}) as f${place}avg`,
    ...(withSpread ? [`coalesce(var_pop(${column}), 0) * count(${column}) as f${place}spread`] : []),
    `(array_agg(${column} order by at desc) filter (where ${column} is not null))[1] as f${place}last`,
  ];
  return circular
    ? [...parts, `avg(cos(${angle})) as f${place}cos`, `avg(sin(${angle})) as f${place}sin`]
    : parts;
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

/**
 * Pieces that have rows, computed of the rows themselves.
 *
 * @param withSpread false leaves the spreads 0, which costs less
 */
export async function readRawParts(
  database: Database,
  source: LogSource,
  fields: readonly WantedField[],
  pieces: readonly Piece[],
  withSpread: boolean,
): Promise<Part[]> {
  const columns = [
    "count(*) as count",
    ...fields.flatMap((field, place) => aggregates(field, place, withSpread)),
  ].join(", ");
  const rows = await database.query<PartRow>(
    `select bucket, since, found.*
     from unnest($2::int[], $3::timestamptz[], $4::timestamptz[]) as piece (bucket, since, until)
     cross join lateral (
       select ${columns} from ${tableOf(source)} and at >= since and at < until
     ) as found
     where found.count > 0`,
    [
      source.deviceId,
      arrayLiteral(pieces.map(({ bucket }) => bucket)),
      arrayLiteral(pieces.map(({ from }) => new Date(from).toISOString())),
      arrayLiteral(pieces.map(({ to }) => new Date(to).toISOString())),
    ],
    "history",
  );
  return rows.map((row) => {
    const found = new Map<FieldName, Summary>();
    for (const [place, { name }] of fields.entries()) found.set(name, summaryOf(row, place));
    return { bucket: row.bucket, from: row.since, count: row.count, fields: found };
  });
}
