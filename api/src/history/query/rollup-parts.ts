import type { FieldName } from "@mulkko/shared/catalogue/fields";
import type { Database } from "../../database/database.ts";
import { arrayLiteral, queryPacked } from "../../database/packed-rows.ts";
import { columnOf } from "../aggregate.ts";
import { type Level, ROLLUP_TABLE } from "../levels.ts";
import type { BucketRange } from "../ranges.ts";
import type { Part, WantedField } from "./part.ts";
import type { LogSource } from "./repository.ts";
import type { Summary } from "./summary.ts";

type RollupLevel = Exclude<Level, "raw">;

interface PartRow extends Readonly<Record<string, number | null>> {
  readonly bucket: number;
  readonly since: number;
  readonly rows: number;
}

/** Return the stored parts of a field, as suffixes of its columns' names. */
const sumNames = ({ circular }: WantedField): string[] => [
  "n",
  "sum",
  "min",
  "max",
  "last",
  "spread",
  ...(circular ? ["cos", "sin"] : []),
];

/** The rows of a range at one level; `$1` is the sensor. */
const WITHIN = "sensor_id = $1 and start >= since and start < until";

/**
 * Return SQL that aggregates each field; `f{index}` keeps the column names short and distinct from the
 * field's own. The spread is summed from distances to the mean: plain squares of the values would lose
 * precision.
 */
function sumsSql(level: RollupLevel, fields: readonly WantedField[]): string {
  const table = ROLLUP_TABLE[level];
  const sums = fields.flatMap(({ name, circular }, place) => [
    `sum(${columnOf(name, "count")}) as f${place}n`,
    `sum(${columnOf(name, "sum")}) as f${place}sum`,
    `min(${columnOf(name, "min")}) as f${place}min`,
    `max(${columnOf(name, "max")}) as f${place}max`,
    ...(circular
      ? [`sum(${columnOf(name, "cos")}) as f${place}cos`, `sum(${columnOf(name, "sin")}) as f${place}sin`]
      : []),
  ]);
  const spreads = fields.map(({ name }, place) => {
    const mean = `found.f${place}sum / found.f${place}n`;
    const distance = `(${columnOf(name, "sum")} / ${columnOf(name, "count")} - ${mean})`;
    const spread = `${columnOf(name, "spread")} + ${columnOf(name, "count")} * ${distance} * ${distance}`;
    return `sum(${spread}) as f${place}spread`;
  });
  const last = fields.map(({ name }, place) => `${columnOf(name, "last")} as f${place}last`);
  return `
    select bucket, since, found.*, spreads.*${fields.map((_, place) => `, f${place}last`).join("")}
    from unnest($2::timestamptz[], $3::timestamptz[], $4::int[]) as bucket_range (since, until, bucket)
    cross join lateral (
      select ${["sum(rows) as rows", ...sums].join(", ")} from ${table} where ${WITHIN}
    ) as found
    cross join lateral (select ${spreads.join(", ")} from ${table} where ${WITHIN}) as spreads
    left join lateral (
      select ${["start", ...last].join(", ")} from ${table} where ${WITHIN} order by start desc limit 1
    ) as newest on true
    where found.rows > 0`;
}

/** Return SQL for the last value of fields that the last row of a range lacks: it reads each row. */
const lastSql = (level: RollupLevel, fields: readonly WantedField[]): string => {
  const last = fields.map(({ name }, place) => {
    const column = columnOf(name, "last");
    return `(array_agg(${column} order by start desc) filter (where ${column} is not null))[1] as f${place}last`;
  });
  return `
    select since, found.* from unnest($2::timestamptz[], $3::timestamptz[]) as bucket_range (since, until)
    cross join lateral (select ${last.join(", ")} from ${ROLLUP_TABLE[level]} where ${WITHIN}) as found`;
};

function summaryOf(row: PartRow, place: number): Summary {
  const of = (name: string): number | null => row[`f${place}${name}`] ?? null;
  const count = of("n") ?? 0;
  const meanOf = (sum: number | null): number | null => (sum === null || count === 0 ? null : sum / count);
  return {
    count,
    min: of("min"),
    max: of("max"),
    mean: meanOf(of("sum")),
    spread: of("spread") ?? 0,
    last: count === 0 ? null : of("last"),
    cos: meanOf(of("cos")),
    sin: meanOf(of("sin")),
  };
}

const times = (ranges: readonly BucketRange[], end: "from" | "to"): string =>
  arrayLiteral(ranges.map((range) => new Date(range[end]).toISOString()));

/** Compute the ranges of whole hours or whole days with rows, from their rollups. */
export async function readRollupParts(
  database: Database,
  { deviceId }: LogSource,
  level: RollupLevel,
  fields: readonly WantedField[],
  ranges: readonly BucketRange[],
): Promise<Part[]> {
  const ask = (
    columns: readonly string[],
    sql: string,
    asked: readonly BucketRange[],
    ...more: readonly string[]
  ): Promise<PartRow[]> =>
    queryPacked(database, {
      columns,
      times: ["since"],
      from: `(${sql}) as parts`,
      params: [deviceId, times(asked, "from"), times(asked, "to"), ...more],
      queue: "history",
    });
  const columns = fields.flatMap((field, place) => sumNames(field).map((name) => `f${place}${name}`));
  const buckets = arrayLiteral(ranges.map(({ bucket }) => bucket));
  const rows = await ask(["bucket", "since", "rows", ...columns], sumsSql(level, fields), ranges, buckets);
  const found = rows.map((row) => ({
    row,
    summaries: fields.map((_, place) => summaryOf(row, place)),
  }));

  const bySince = new Map(found.map((part) => [part.row.since, part.summaries]));
  const lacksLast = ranges.filter(({ from }) =>
    bySince.get(from)?.some(({ count, last }) => count > 0 && last === null),
  );
  if (lacksLast.length > 0) {
    const wanted = ["since", ...fields.map((_, place) => `f${place}last`)];
    for (const answer of await ask(wanted, lastSql(level, fields), lacksLast)) {
      const summaries = bySince.get(answer.since) ?? [];
      for (const [place, summary] of summaries.entries()) {
        summaries[place] = { ...summary, last: answer[`f${place}last`] ?? summary.last };
      }
    }
  }
  return found.map(({ row, summaries }) => ({
    bucket: row.bucket,
    from: row.since,
    count: row.rows,
    fields: new Map<FieldName, Summary>(
      fields.flatMap(({ name }, place) => {
        const summary = summaries[place];
        return summary ? [[name, summary]] : [];
      }),
    ),
  }));
}
