const KOREA_MS = 9 * 3_600_000;

export const DAY_MS = 86_400_000;

/**
 * Return the wall clock of the demo farm in ms of a calendar without zones. Korea is UTC+9 all year, with no
 * summer time.
 */
export function farmWallClock(instant: number): number {
  return instant + KOREA_MS;
}

/**
 * Parse `2020-08-31 12:50` as wall time, in ms of a calendar without zones; NaN for any other text. The zone
 * does not matter: the recordings keep their time of day on the farm.
 */
export function wallClockOf(text: string): number {
  return /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/.test(text)
    ? Date.parse(`${text.replace(" ", "T")}:00Z`)
    : Number.NaN;
}

/** Return the non-negative remainder: the position of a time in a loop. */
export function positionIn(length: number, time: number): number {
  return ((time % length) + length) % length;
}
