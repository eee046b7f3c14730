import { FIELDS, type FieldName, isFieldName } from "@mulkko/shared/catalogue/fields";
import { arrayLiteral } from "../database/array-literal.ts";
import type { Database, Queryable } from "../database/database.ts";
import { queryPacked } from "../database/packed-rows.ts";
import { dayOf, HOUR_MS } from "./levels.ts";
import { type HourOfDay, type PackedPart, packDay, packedPartsOf } from "./packed-day.ts";
import { columnOf } from "./rollup-columns.ts";
import { holdState } from "./state.ts";

/** Days packed in one transaction, so that inserts run between two. */
const STEP_DAYS = 20;
/** Most steps per run, some seconds of work: past hours are closed before the next run. */
const MOST_STEPS = 100;

const ALL = Object.keys(FIELDS).filter(isFieldName);

interface HourRow extends Readonly<Record<string, number | null>> {
  readonly start: number;
  readonly rows: number;
}

const literalOf = (days: readonly number[]): string =>
  arrayLiteral(days.map((day) => new Date(day).toISOString()));

/** Return the fields present on any of these days. */
async function fieldsOf(tx: Queryable, sensorId: string, days: readonly number[]): Promise<FieldName[]> {
  const [has] = await tx.query<Record<string, boolean | null>>(
    `select ${ALL.map((name) => `bool_or(${columnOf(name, "count")} is not null) as "${name}"`).join(", ")}
     from reading_day where sensor_id = $1 and start = any($2::timestamptz[])`,
    [sensorId, literalOf(days)],
  );
  return ALL.filter((name) => has?.[name] === true);
}

function hourOfDay(row: HourRow, names: readonly FieldName[]): HourOfDay {
  const of = (name: FieldName, part: PackedPart): number | null =>
    row[columnOf(name, part).replaceAll('"', "")] ?? null;
  return {
    hour: (row.start - dayOf(row.start)) / HOUR_MS,
    rows: row.rows,
    fields: new Map(
      names.flatMap((name) => {
        const count = of(name, "count");
        if (count === null) return [];
        const number = (part: PackedPart): number => of(name, part) ?? 0;
        const field = {
          count,
          sum: number("sum"),
          min: number("min"),
          max: number("max"),
          last: number("last"),
          spread: number("spread"),
          cos: of(name, "cos"),
          sin: of(name, "sin"),
        };
        return [[name, field] as const];
      }),
    ),
  };
}

/** The caller holds the sensor's state, so that no hour changes between the queries. */
async function packThese(tx: Queryable, sensorId: string, days: readonly number[]): Promise<void> {
  const names = await fieldsOf(tx, sensorId, days);
  const columns = names.flatMap((name) => packedPartsOf(name).map((part) => columnOf(name, part)));
  const rows = await queryPacked<HourRow>(tx, {
    columns: ["start", "rows", ...columns],
    times: ["start"],
    from: `unnest($2::timestamptz[]) as day cross join lateral (
        select * from reading_hour
        where sensor_id = $1 and start >= day and start < day + interval '24 hours' order by start
      ) as hour`,
    params: [sensorId, literalOf(days)],
  });
  const byDay = Map.groupBy(rows, ({ start }) => dayOf(start));
  const texts = days.map((day) => packDay((byDay.get(day) ?? []).map((row) => hourOfDay(row, names))));
  await tx.query(
    `update reading_day set hours = packed.hours
     from unnest($2::timestamptz[], $3::text[]) as packed (start, hours)
     where sensor_id = $1 and reading_day.start = packed.start`,
    [sensorId, literalOf(days), arrayLiteral(texts)],
  );
}

/**
 * Pack the hours of each past day into the day's row. Candidates are newly closed days, days with a late
 * reading, and days of a version without packing. Until then their hours are read one by one.
 *
 * @returns number of packed days
 */
export async function packDays(database: Database): Promise<number> {
  let after = { sensor_id: "00000000-0000-0000-0000-000000000000", start: 0 };
  let packed = 0;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const due = await database.query<typeof after>(
      `select sensor_id, start from reading_day
       where hours is null and (sensor_id, start) > ($1::uuid, $2::timestamptz)
       order by sensor_id, start limit ${STEP_DAYS}`,
      [after.sensor_id, new Date(after.start)],
      "history",
    );
    const last = due.at(-1);
    if (!last) break;
    after = last;
    for (const [sensorId, days] of Map.groupBy(due, ({ sensor_id }) => sensor_id)) {
      await database.transaction(async (tx) => {
        await holdState(tx, sensorId);
        await packThese(
          tx,
          sensorId,
          days.map(({ start }) => start),
        );
      }, "history");
    }
    packed += due.length;
  }
  return packed;
}
