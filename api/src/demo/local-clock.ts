const KOREA_MS = 9 * 3_600_000;

export const DAY_MS = 86_400_000;

/**
 * The wall clock at the demo farm as milliseconds of a calendar without zones. Korea is UTC+9 all year, with no
 * summer time.
 */
export function farmWallClock(instant: number): number {
  return instant + KOREA_MS;
}

/**
 * Reads `2020-08-31 12:50` as it stands on a wall, in milliseconds of a calendar without zones; NaN for any
 * other text. Which wall does not matter: the recordings keep their time of day on the farm.
 */
export function wallClockOf(text: string): number {
  return /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/.test(text)
    ? Date.parse(`${text.replace(" ", "T")}:00Z`)
    : Number.NaN;
}

/** Remainder that is never negative: where a point of time lies in a loop. */
export function positionIn(length: number, time: number): number {
  return ((time % length) + length) % length;
}
