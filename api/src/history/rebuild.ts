import type { Database } from "../database/database.ts";
import { countRows } from "./count-rows.ts";
import { DAY_MS, dayFrom, dayOf } from "./levels.ts";
import { knownMonths, monthOf } from "./months.ts";
import { holdState } from "./state.ts";

/** The setting that says whether rows are there that no closed hour has counted. */
const STATE = "history.rollups";
const MISSING = "missing";

/**
 * Counts the rows of closed hours and days in a range anew, a month of a sensor at a time. Hours and days that have
 * no rows any more stay as they are.
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

/** Counts what was stored by a version that kept no hours and days; does nothing when that is done. */
export async function rebuildWhereMissing(database: Database, now: number): Promise<void> {
  const [state] = await database.query("select 1 from setting where key = $1 and value = $2", [
    STATE,
    MISSING,
  ]);
  if (!state) return;
  await rebuildRollups(database, { from: 0, to: now + DAY_MS });
  await database.query("delete from setting where key = $1", [STATE]);
}
