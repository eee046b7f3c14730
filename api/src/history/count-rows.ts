import { FIELDS, type FieldName, isFieldName } from "@mulkko/shared/catalogue/fields";
import type { Queryable } from "../database/database.ts";
import { dayOf, type Level, ROLLUP_TABLE } from "./levels.ts";
import { columnOf, type Part, partsOf } from "./rollup-columns.ts";

const ALL = Object.keys(FIELDS).filter(isFieldName);

function countedOf(name: FieldName, part: Part): string {
  const column = `"${name}"`;
  const has = `filter (where ${column} is not null)`;
  switch (part) {
    case "count":
      return `nullif(count(${column}), 0)`;
    case "spread":
      return `var_pop(${column}) * count(${column})`;
    case "last":
      return `(array_agg(${column} order by at desc) ${has})[1]`;
    case "lastAt":
      return `max(at) ${has}`;
    case "cos":
    case "sin":
      return `sum(${part}(radians(${column})))`;
    case "sum":
    case "min":
    case "max":
      return `${part}(${column})`;
  }
}

/** The count replaces the existing one, so that a repetition does no harm. */
function countSql(level: Exclude<Level, "raw">, names: readonly FieldName[]): string {
  const columns = ALL.flatMap((name) => partsOf(name).map(({ part }) => ({ name, part })));
  const counted = columns.filter(({ name }) => names.includes(name));
  return `insert into ${ROLLUP_TABLE[level]} (sensor_id, start, rows
      ${counted.map(({ name, part }) => `, ${columnOf(name, part)}`).join("")})
    select sensor_id, date_trunc('${level}', at, 'UTC'), count(*)
      ${counted.map(({ name, part }) => `, ${countedOf(name, part)}`).join("")}
    from reading where sensor_id = $1 and at >= $2 and at < $3 group by 1, 2
    on conflict (sensor_id, start) do update set rows = excluded.rows
      ${columns.map(({ name, part }) => `, ${columnOf(name, part)} = excluded.${columnOf(name, part)}`).join("")}`;
}

/** A range of a sensor's rows, between two starts of an hour or a day; ms. */
export interface Stretch {
  readonly sensorId: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Compute the hours of a range from its rows, and the days that end in it. The caller holds the sensor's
 * state, so that no row is added between the queries.
 */
export async function countRows(tx: Queryable, { sensorId, from, to }: Stretch): Promise<void> {
  const firstDay = dayOf(from);
  const params = [sensorId, new Date(firstDay), new Date(to)];
  const [has] = await tx.query<Record<string, boolean | null>>(
    `select ${ALL.map((name) => `bool_or("${name}" is not null) as "${name}"`).join(", ")}
     from reading where sensor_id = $1 and at >= $2 and at < $3`,
    params,
  );
  const names = ALL.filter((name) => has?.[name] !== null && has?.[name] !== undefined && has[name]);
  if (has === undefined || Object.values(has).every((value) => value === null)) return;
  await tx.query(countSql("hour", names), [sensorId, new Date(from), new Date(to)]);
  if (firstDay < dayOf(to)) {
    await tx.query(countSql("day", names), [sensorId, new Date(firstDay), new Date(dayOf(to))]);
  }
}
