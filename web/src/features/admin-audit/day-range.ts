import { createApiTimeZone } from "@mulkko/shared/rules/api-time";

const DAY_MS = 86_400_000;

/** Days as a date field writes them, empty where nothing narrows. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/**
 * The instants of whole days in a time zone, for the farm API: from the first day's beginning to the last one's end.
 * What is no day narrows nothing.
 */
export function instantsOf({ from, to }: DayRange, zone: string): { from: string; to: string } {
  const { toInstant } = createApiTimeZone(zone);
  const begin = from === "" ? null : toInstant(from);
  // The day after begins where this one ends, however long it is.
  const next = to === "" ? Number.NaN : Date.parse(`${to}T00:00:00Z`) + DAY_MS;
  const end = Number.isNaN(next) ? null : toInstant(new Date(next).toISOString().slice(0, 10));
  const iso = (instant: number | null) => (instant === null ? "" : new Date(instant).toISOString());
  return { from: iso(begin), to: iso(end) };
}
