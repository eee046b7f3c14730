import type { Database, Queryable } from "../../database/database.ts";
import { arrayLiteral, queryPacked } from "../../database/packed-rows.ts";
import { columnsOf, type LatestRow, type ReadingRow } from "./columns.ts";
import type { Range } from "./range.ts";

/** Rows per page of a plain log, and most rows in an answer: the newest ones. */
const PAGE_ROWS = 2_000;
export const MAX_ROWS = 50_000;

const TIMES = ["at", "received_at", "clock_wrong_since"];

/** SQL: the newest readings of the sensors `$1`, each with the contact after its last long gap (FLIP-1). */
const WITH_RETURN = `(
  select latest.*, back_at from latest left join device_presence on device_id = sensor_id where sensor_id = any($1::uuid[])
) found`;

/** Subject of one log. */
export interface LogSource {
  readonly deviceId: string;
  readonly deviceType: string;
  /** The channel of a COT log; null for a sensor's own readings. */
  readonly channel: number | null;
}

/**
 * Return the table of a sensor's readings, or of a channel's COT log under the same names, with the start of
 * a condition.
 */
export function tableOf({ channel }: LogSource): string {
  return channel === null
    ? "reading where sensor_id = $1"
    : "(select device_id as sensor_id, number, at, at as received_at, null::text as fwversion, " +
        // The mean of an integer column is `numeric`, which PostgreSQL's client returns as text.
        "null::double precision as rssi, valve::double precision as valve, moisture, clock_wrong_since from cot_log) log " +
        "where sensor_id = $1 and number = " +
        String(channel);
}

/** Return the rows of a range, oldest first; at most the newest {@link MAX_ROWS}. */
export async function readRows(database: Database, source: LogSource, range: Range): Promise<ReadingRow[]> {
  const columns = columnsOf(source.deviceType);
  const from = `(select ${columns.join(", ")} from ${tableOf(source)}
    and at >= $2 and at < $3 order by at desc limit ${PAGE_ROWS}) as page`;
  const rows: ReadingRow[] = [];
  let to = range.to;
  while (rows.length < MAX_ROWS) {
    const page = await queryPacked<ReadingRow>(database, {
      columns,
      times: TIMES,
      from,
      params: [source.deviceId, new Date(range.from), new Date(to)],
      queue: "history",
    });
    rows.push(...page);
    const oldest = page.at(-1);
    if (!oldest || page.length < PAGE_ROWS) break;
    to = oldest.at;
  }
  return rows.reverse();
}

/** Return the newest readings of sensors by their ids, with the columns of their types only. */
export async function readLatest(
  database: Queryable,
  sensors: readonly { readonly id: string; readonly device_type: string }[],
): Promise<ReadonlyMap<string, LatestRow>> {
  const types = new Set(sensors.map(({ device_type }) => device_type));
  const columns = [...new Set([...types].flatMap(columnsOf))];
  if (columns.length === 0) return new Map();
  const rows = await queryPacked<LatestRow>(database, {
    columns: [...columns, "field_at", "arrival", "back_at"],
    times: [...TIMES, "back_at"],
    from: WITH_RETURN,
    params: [arrayLiteral(sensors.map(({ id }) => id))],
  });
  return new Map(rows.map((row) => [row.sensor_id, row]));
}
