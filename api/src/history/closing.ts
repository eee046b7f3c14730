import { FIELDS, type FieldName, isFieldName } from "@mulkko/shared/catalogue/fields";
import type { Database, Queryable } from "../database/database.ts";
import { columnOf, type Part, partsOf } from "./aggregate.ts";
import { DAY_MS, dayFrom, dayOf, hourOf, type Level, ROLLUP_TABLE } from "./levels.ts";
import { knownMonths, monthOf } from "./months.ts";
import { holdState } from "./state.ts";

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
interface Stretch {
  readonly sensorId: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Compute the hours of a range from its rows, and the days that end in it. The caller holds the sensor's
 * state, so that no row is added between the queries.
 */
async function countRows(tx: Queryable, { sensorId, from, to }: Stretch): Promise<void> {
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

/** Delay between the end of an hour and its closing: most late readings have arrived by then. */
const GRACE_MS = 10 * 60_000;
/** Longest range closed at once, so that inserts run between two steps. */
const STEP_MS = 7 * DAY_MS;

/**
 * Close past hours: compute their rollups from rows, and the rollups of past days. A
 * reading that arrives later for a closed hour is added to it when stored.
 *
 * @returns number of sensors with hours to close
 */
export async function closeHours(database: Database, now: number): Promise<number> {
  const target = hourOf(now - GRACE_MS);
  const due = await database.query<{ sensor_id: string }>(
    "select sensor_id from history_state where closed_until < $1 order by sensor_id",
    [new Date(target)],
    "history",
  );
  const step = (sensorId: string): Promise<boolean> =>
    database.transaction(async (tx) => {
      const from = await holdState(tx, sensorId);
      if (from === 0 || from >= target) return false;
      const to = Math.min(target, from + STEP_MS);
      await countRows(tx, { sensorId, from, to });
      await tx.query("update history_state set closed_until = $2 where sensor_id = $1", [
        sensorId,
        new Date(to),
      ]);
      return to < target;
    }, "history");
  for (const { sensor_id } of due) while (await step(sensor_id));
  return due.length;
}

/** The setting that records if rows exist that no closed hour has counted. */
const STATE = "history.rollups";
const MISSING = "missing";

/**
 * Recount the rows of closed hours and days in a range, one month of a sensor at a time. Hours and days
 * without rows stay unchanged.
 *
 * @param range widened to whole days of UTC, ms
 */
export async function rebuildRollups(
  database: Database,
  range: { readonly from: number; readonly to: number },
): Promise<void> {
  const from = dayOf(range.from);
  const to = dayFrom(range.to);
  const sensors = await database.query<{ id: string }>("select id from sensor order by id", [], "history");
  for (const month of await knownMonths(database)) {
    const first = Math.max(from, month.from);
    const end = Math.min(to, monthOf(month.from, 1));
    if (first >= end) continue;
    for (const { id } of sensors) {
      await database.transaction(async (tx) => {
        const closedUntil = await holdState(tx, id);
        const last = Math.min(end, closedUntil);
        if (first < last) await countRows(tx, { sensorId: id, from: first, to: last });
      }, "history");
    }
  }
}

/** Count the rows stored by a version without hours and days, unless this is done. */
export async function rebuildWhereMissing(database: Database, now: number): Promise<void> {
  const [state] = await database.query("select 1 from setting where key = $1 and value = $2", [
    STATE,
    MISSING,
  ]);
  if (!state) return;
  await rebuildRollups(database, { from: 0, to: now + DAY_MS });
  await database.query("delete from setting where key = $1", [STATE]);
}
