import { medianInterval, offlineAfter } from "@mulkko/shared/rules/quality";

/** Most devices reported as silent per check; the others follow at the next check. */
export const MAX_PER_LOOK = 200;

/** Gap between two checks, ms, beyond which the machine was suspended and received nothing. */
const MAX_GAP_MS = 5 * 60_000;

/**
 * Return since when this program has been able to receive messages. Silence counts from then on. Excluded are
 * the time before the program's start, an unavailable database or broker, and a suspended machine.
 *
 * @param now ms since 1970 UTC, like all times here
 * @param lookedAt time of the previous check
 */
export function listeningSince(before: number, lookedAt: number, now: number, canHear: boolean): number {
  if (!canHear || now - lookedAt > MAX_GAP_MS) return now;
  return Math.min(before, now);
}

/**
 * Return how long a device may be silent, ms: 60 min, or 2.5 times its usual interval if longer, but at most
 * 26 h.
 *
 * @param times times of its newest readings, newest first, ms since 1970 UTC
 */
export function patienceOf(times: readonly number[]): number {
  const gaps = times.slice(1).map((time, index) => (times[index] ?? time) - time);
  return offlineAfter(medianInterval(gaps));
}
