import { medianInterval, offlineAfter } from "@mulkko/shared/rules/quality";

/** Most devices that are taken up as silent at one look; the others follow at the next. */
export const MAX_PER_LOOK = 200;

/** Two looks further apart than this: the machine slept, and heard nobody meanwhile. */
const MAX_GAP_MS = 5 * 60_000;

/**
 * Since when this program could have heard a device. Only from then on is a silence the device's: not before the
 * program's start, nor while the database or the broker was away or the machine slept.
 *
 * @param now ms since 1970 UTC, as everything here
 * @param lookedAt the look before this one
 */
export function listeningSince(before: number, lookedAt: number, now: number, canHear: boolean): number {
  if (!canHear || now - lookedAt > MAX_GAP_MS) return now;
  return Math.min(before, now);
}

/**
 * How long a device may be silent, ms: 60 min, or 2.5 times its usual interval where that is more, but at most 26 h.
 *
 * @param times of its newest readings, newest first, ms since 1970 UTC
 */
export function patienceOf(times: readonly number[]): number {
  const gaps = times.slice(1).map((time, index) => (times[index] ?? time) - time);
  return offlineAfter(medianInterval(gaps));
}
