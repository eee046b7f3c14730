import { SNOOZE_AT_MOST_MS } from "@mulkko/shared/rest/alarm";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { addDays, dateAt, timeOnDate } from "@mulkko/shared/rules/calendar";

/** Snooze ends offered by one click; `own` is typed by the user. */
export type SnoozeEndName = "hour" | "fourHours" | "tonight" | "tomorrow" | "own";

/** Offered snooze end, ms since 1970 UTC. */
export interface SnoozeEnd {
  readonly name: Exclude<SnoozeEndName, "own">;
  readonly at: number;
}

const HOUR_MS = 3_600_000;
/** Usual times of the evening and morning rounds, on the farm's clock. */
const TONIGHT = "20:00";
const TOMORROW = "07:00";

/**
 * Return the offered snooze ends. An evening less than an hour away is left out. @param zone the account's
 * time zone
 */
export function snoozeEnds(now: number, zone: ApiTimeZone): readonly SnoozeEnd[] {
  const today = dateAt(now, zone);
  const tonight = timeOnDate(today, TONIGHT, zone);
  const tomorrow = timeOnDate(addDays(today, 1), TOMORROW, zone);
  return [
    { name: "hour", at: now + HOUR_MS },
    { name: "fourHours", at: now + 4 * HOUR_MS },
    ...(tonight !== null && tonight - now >= HOUR_MS ? [{ name: "tonight", at: tonight } as const] : []),
    ...(tomorrow !== null ? [{ name: "tomorrow", at: tomorrow } as const] : []),
  ];
}

/** Return why an alarm cannot be snoozed until an instant; null if it can (ALM-3). */
export function snoozeFault(now: number, until: number | null): "missing" | "past" | "tooFar" | null {
  if (until === null) return "missing";
  if (until <= now) return "past";
  return until - now > SNOOZE_AT_MOST_MS ? "tooFar" : null;
}

/** Format an instant for the date field: `2026-11-22T07:00` on the account's clock. */
export function fieldTime(zone: ApiTimeZone, instant: number): string {
  return zone.toApi(instant).slice(0, "2026-11-22 07:00".length).replace(" ", "T");
}
