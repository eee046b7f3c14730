import type { Database } from "../database/database.ts";
import { countRows } from "./count-rows.ts";
import { DAY_MS, dayFrom, dayOf } from "./levels.ts";
import { knownMonths, monthOf } from "./months.ts";
import { holdState } from "./state.ts";

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
