import type { Database } from "../../database/database.ts";
import { HOUR_MS, hourOf } from "../levels.ts";
import type { HistoryState } from "../state.ts";
import type { Range } from "./range.ts";
import { type LogSource, tableOf } from "./repository.ts";

interface ExtentRow {
  readonly first_start?: number | null;
  readonly last_start?: number | null;
  readonly first_at: number | null;
  readonly last_at: number | null;
}

/**
 * Return the first and last time in a range or slightly beyond, so that the cost depends on its rows, not on
 * its years.
 */
export async function extentOf(
  database: Database,
  source: LogSource,
  range: Range,
  { closedUntil }: HistoryState,
): Promise<Range | null> {
  // Read the ends of an index; a minimum and a maximum together may scan everything between them.
  const end = (what: string, by: string, table: string, since: string, order = ""): string =>
    `(select ${what} from ${table} and ${by} >= ${since} and ${by} < $3 order by ${by} ${order} limit 1)`;
  const hours = "reading_hour where sensor_id = $1";
  const ofHours = `${end("start", "start", hours, "$4")} as first_start,
    ${end("start", "start", hours, "$4", "desc")} as last_start,`;
  const [row] = await database.query<ExtentRow>(
    `select ${source.channel === null ? ofHours : ""}
       ${end("at", "at", tableOf(source), "$2")} as first_at,
       ${end("at", "at", tableOf(source), "$2", "desc")} as last_at
     from (values ($4::timestamptz)) as unused`,
    [
      source.deviceId,
      new Date(Math.max(range.from, closedUntil)),
      new Date(range.to),
      new Date(hourOf(range.from)),
    ],
    "history",
  );
  const found = [row?.first_start, row?.last_start, row?.first_at, row?.last_at].filter(
    (at) => typeof at === "number",
  );
  return found.length === 0 ? null : { from: Math.min(...found), to: Math.max(...found) + HOUR_MS };
}
