import { type ApiTimeZone, parseWallTime } from "@mulkko/shared/rules/api-time";
import { dayOfDate, isDate } from "@mulkko/shared/rules/calendar";
import { ApiError } from "../../http/api-error.ts";

/** A range of instants, ms since 1970 UTC; `to` is exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

/** Return all that a day, minute or second of the API's zone names: both occurrences of a repeated one. */
function spanOf(text: string, zone: ApiTimeZone, field: string): Range {
  if (isDate(text)) return dayOfDate(text, zone);
  const wall = parseWallTime(text);
  if (wall === null) {
    throw new ApiError(422, "validation", `${field} must be YYYY-MM-DD or YYYY-MM-DD HH:mm`, { field });
  }
  const from = zone.firstAt(wall);
  const length = /:\d{2}:\d{2}/.test(text) ? SECOND_MS : MINUTE_MS;
  return { from, to: (zone.instantsOf(wall).at(-1) ?? from) + length };
}

/** Parse a range in the API's zone. The end includes its whole day, minute or second. */
export function rangeOf(start: string, end: string, zone: ApiTimeZone): Range {
  const first = spanOf(start, zone, "start");
  const last = spanOf(end, zone, "end");
  if (last.from < first.from) {
    throw new ApiError(422, "validation", "end must not be before start", { field: "end" });
  }
  return { from: first.from, to: last.to };
}
