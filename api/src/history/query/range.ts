import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { ApiError } from "../../http/api-error.ts";

/** A range of instants, ms since 1970 UTC; `to` is exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

function unitOf(text: string): number {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return DAY_MS;
  return /:\d{2}:\d{2}/.test(text) ? SECOND_MS : MINUTE_MS;
}

function instantOf(text: string, zone: ApiTimeZone, field: string): number {
  const instant = zone.toInstant(text);
  if (instant === null) {
    throw new ApiError(422, "validation", `${field} must be YYYY-MM-DD or YYYY-MM-DD HH:mm`, { field });
  }
  return instant;
}

/** Parse a range in the API's zone. The end includes its whole day, minute or second. */
export function rangeOf(start: string, end: string, zone: ApiTimeZone): Range {
  const from = instantOf(start, zone, "start");
  const last = instantOf(end, zone, "end");
  if (last < from) throw new ApiError(422, "validation", "end must not be before start", { field: "end" });
  return { from, to: last + unitOf(end) };
}
