import type { Database } from "../database/database.ts";

/** Rows deleted by one statement: others run between two. */
const SLICE = 20_000;

/**
 * Delete a sensor's readings except a last slice. The statement that deletes the sensor then does not block
 * the only connection of an embedded database for long.
 *
 * @param slice rows at a time
 */
export async function thinOutSensor(database: Database, sensorId: string, slice = SLICE): Promise<void> {
  for (let isMore = true; isMore; ) {
    const [gone] = await database.query<{ count: number }>(
      `with edge as (select at from reading where sensor_id = $1 order by at offset $2 limit 1),
         gone as (delete from reading using edge where sensor_id = $1 and reading.at < edge.at returning 1)
       select count(*) as count from gone`,
      [sensorId, slice],
      "history",
    );
    isMore = (gone?.count ?? 0) > 0;
  }
}
