import type { Queryable } from "../database/database.ts";

const KEY = "history.raw-from";

/** What history of a sensor there is; ms since 1970 UTC. */
export interface HistoryState {
  /** From when on all rows are there: older ones were deleted in their time. A day's beginning; 0 where all are. */
  readonly rawFrom: number;
  /** Until when hours have their rollups. An hour's beginning. */
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

/** Until when a sensor's hours are closed; nobody stores its readings before the end of the transaction. */
export async function holdState(tx: Queryable, sensorId: string): Promise<number> {
  const [row] = await tx.query<{ closed_until: number }>(
    "select closed_until from history_state where sensor_id = $1 for update",
    [sensorId],
  );
  return row?.closed_until ?? 0;
}

/** Says that rows before an instant, the beginning of a day of UTC, are leaving; it never goes back. */
export async function moveRawFrom(database: Queryable, at: number): Promise<void> {
  await database.query(
    `insert into setting (key, value) values ($1, $2)
     on conflict (key) do update set value = excluded.value where setting.value::bigint < excluded.value::bigint`,
    [KEY, String(at)],
  );
}
