import type { Database } from "../database/database.ts";
import { thinOutSensor } from "../sensors/thin-out.ts";

/** Delete the readings of an account's sensors except a last slice of each. @param slice rows at a time */
export async function thinOutReadings(database: Database, accountId: string, slice?: number): Promise<void> {
  const sensors = await database.query<{ id: string }>(
    "select sensor.id from sensor join device using (id) where account_id = $1",
    [accountId],
    "history",
  );
  for (const { id } of sensors) await thinOutSensor(database, id, slice);
}
