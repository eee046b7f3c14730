import { type Database, DatabaseError } from "../database/database.ts";
import { closeHours } from "./closing.ts";
import { DAY_MS, dayOf, ROLLUP_TABLE } from "./levels.ts";
import { knownMonths, makeMonths, monthOf } from "./months.ts";
import { moveRawFrom } from "./state.ts";

/** Most rows deleted by one statement, so that others run between two. */
const STEP_ROWS = 5_000;

/** How long dropping a month may wait for its readers, ms: all later statements wait behind it. */
const LOCK_TIMEOUT_MS = 1_000;
/** SQLSTATE of a lock timeout. */
const LOCK_NOT_AVAILABLE = "55P03";

/** Days to keep history; undefined: without limit. */
export interface Retention {
  /** Raw readings and valve logs. */
  readonly rawDays: number | undefined;
  /** Their hours and days: not shorter. */
  readonly rollupDays: number | undefined;
}

/** Tables with a device and a time, by the names of those columns. */
const RAW = { table: "reading", device: "sensor_id", at: "at" };
const COT = { table: "cot_log", device: "device_id", at: "at" };
const HOURS = { table: ROLLUP_TABLE.hour, device: "sensor_id", at: "start" };
const DAYS = { table: ROLLUP_TABLE.day, device: "sensor_id", at: "start" };

async function deleteBefore(
  database: Database,
  { table, device, at }: typeof RAW,
  deviceId: string,
  from: Date,
  cut: Date,
): Promise<number> {
  // Include all rows of the last time of a step: rows of one time are deleted together.
  const sql = `with due as (
      select max(${at}) as upto from (
        select ${at} from ${table} where ${device} = $1 and ${at} >= $3 and ${at} < $2 order by ${at} limit ${STEP_ROWS}
      ) as step
    ), gone as (
      delete from ${table} using due where ${device} = $1 and ${at} >= $3 and ${at} < $2 and ${at} <= due.upto returning 1
    ) select count(*) as count from gone`;
  let total = 0;
  for (;;) {
    const [row] = await database.query<{ count: number }>(sql, [deviceId, cut, from], "history");
    const count = row?.count ?? 0;
    total += count;
    if (count < STEP_ROWS) return total;
  }
}

/** Drop the table of a month. @returns false where it is in use, for instance by a backup */
async function dropMonth(database: Database, table: string): Promise<boolean> {
  try {
    await database.transaction(async (tx) => {
      await tx.query("select set_config('lock_timeout', $1, true)", [`${LOCK_TIMEOUT_MS}ms`]);
      await tx.query(`drop table "${table}"`);
    }, "history");
    return true;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

/**
 * Drop the months that end before an instant, oldest first, up to the first one in use: the rest follows next
 * time.
 */
async function dropMonths(
  database: Database,
  cut: number,
): Promise<{ dropped: string[]; keptUntil: number }> {
  const over = (await knownMonths(database)).filter(({ from }) => monthOf(from, 1) <= cut);
  const dropped: string[] = [];
  for (const { table } of over) {
    if (!(await dropMonth(database, table))) break;
    dropped.push(table);
  }
  const last = over.at(-1);
  return { dropped, keptUntil: last && dropped.length < over.length ? monthOf(last.from, 1) : 0 };
}

/**
 * Delete expired history: whole months with their table, the rest in steps. First create the partitions of
 * this month and the next, and close past hours, because no row may be deleted uncounted.
 *
 * A month in use stays until the next time: readings must not wait behind it.
 *
 * @returns the number of rows deleted individually, and the dropped tables
 */
export async function sweepHistory(
  database: Database,
  { rawDays, rollupDays }: Retention,
  now: number,
): Promise<{ rows: number; tables: string[] }> {
  await makeMonths(database, [now, monthOf(now, 1)]);
  await closeHours(database, now);
  let tables: string[] = [];
  let rows = 0;
  const devices = await database.query<{ id: string }>("select id from device order by id", [], "history");
  const deleteAll = async (where: typeof RAW, cut: number, from = 0): Promise<void> => {
    for (const { id } of devices)
      rows += await deleteBefore(database, where, id, new Date(from), new Date(cut));
  };
  if (rawDays !== undefined) {
    const cut = dayOf(now - rawDays * DAY_MS);
    // From here on queries ignore these rows, deleted or not.
    await moveRawFrom(database, cut);
    const { dropped, keptUntil } = await dropMonths(database, cut);
    tables = dropped;
    await deleteAll(RAW, cut, keptUntil);
    await deleteAll(COT, cut);
  }
  if (rollupDays !== undefined) {
    const cut = dayOf(now - rollupDays * DAY_MS);
    await deleteAll(HOURS, cut);
    await deleteAll(DAYS, cut);
  }
  return { rows, tables };
}
