import type { Database } from "../database/database.ts";
import { countRows } from "./count-rows.ts";
import { DAY_MS, hourOf } from "./levels.ts";
import { holdState } from "./state.ts";

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
