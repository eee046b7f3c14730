import type { Queryable } from "../database/database.ts";

const KEY = "history.raw-from";

/** Available history of a sensor; ms since 1970 UTC. */
export interface HistoryState {
  /** From here on all rows exist: older ones have expired. The start of a day; 0 where all exist. */
  readonly rawFrom: number;
  /** Until here hours have their rollups. The start of an hour. */
  readonly closedUntil: number;
}

export async function readState(database: Queryable, sensorId: string): Promise<HistoryState> {
  const [row] = await database.query<{ raw_from: string | null; closed_until: number | null }>(
    `select (select value from setting where key = $1) as raw_from,
       (select closed_until from history_state where sensor_id = $2) as closed_until`,
    [KEY, sensorId],
  );
  return { rawFrom: Number(row?.raw_from ?? 0), closedUntil: row?.closed_until ?? 0 };
}

/**
 * Lock a sensor's history until the end of the transaction, so that no reading is stored. @returns the end of
 * its closed hours
 */
export async function holdState(tx: Queryable, sensorId: string): Promise<number> {
  const [row] = await tx.query<{ closed_until: number }>(
    "select closed_until from history_state where sensor_id = $1 for update",
    [sensorId],
  );
  return row?.closed_until ?? 0;
}

/** Record that rows before the start of a UTC day are being deleted. It never moves back. */
export async function moveRawFrom(database: Queryable, at: number): Promise<void> {
  await database.query(
    `insert into setting (key, value) values ($1, $2)
     on conflict (key) do update set value = excluded.value where setting.value::bigint < excluded.value::bigint`,
    [KEY, String(at)],
  );
}
