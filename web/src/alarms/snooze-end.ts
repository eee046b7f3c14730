import { SNOOZE_AT_MOST_MS } from "@mulkko/shared/rest/alarm";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";

/** Until when an alarm can be put off by one press; `own` is written by the person. */
export type SnoozeEndName = "hour" | "fourHours" | "tonight" | "tomorrow" | "own";

/** What the list offers, ms since 1970 UTC. */
export interface SnoozeEnd {
  readonly name: Exclude<SnoozeEndName, "own">;
  readonly at: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The evening round and the morning round of a farm, on its own clock. */
const TONIGHT = "20:00";
const TOMORROW = "07:00";

const dayOf = (zone: ApiTimeZone, instant: number): string =>
  zone.toApi(instant).slice(0, "2026-11-22".length);

/** @param zone the account's. An evening that is less than an hour away is not offered. */
export function snoozeEnds(now: number, zone: ApiTimeZone): readonly SnoozeEnd[] {
  const today = dayOf(zone, now);
  const noon = zone.toInstant(`${today} 12:00`) ?? now;
  const tonight = zone.toInstant(`${today} ${TONIGHT}`);
  const tomorrow = zone.toInstant(`${dayOf(zone, noon + DAY_MS)} ${TOMORROW}`);
  return [
    { name: "hour", at: now + HOUR_MS },
    { name: "fourHours", at: now + 4 * HOUR_MS },
    ...(tonight !== null && tonight - now >= HOUR_MS ? [{ name: "tonight", at: tonight } as const] : []),
    ...(tomorrow !== null ? [{ name: "tomorrow", at: tomorrow } as const] : []),
  ];
}

/** Why an alarm cannot be put off until an instant; null where it can (ALM-3). */
export function snoozeFault(now: number, until: number | null): "missing" | "past" | "tooFar" | null {
  if (until === null) return "missing";
  if (until <= now) return "past";
  return until - now > SNOOZE_AT_MOST_MS ? "tooFar" : null;
}

/** An instant as the field for it wants it: `2026-11-22T07:00` on the account's clock. */
export function fieldTime(zone: ApiTimeZone, instant: number): string {
  return zone.toApi(instant).slice(0, "2026-11-22 07:00".length).replace(" ", "T");
}
