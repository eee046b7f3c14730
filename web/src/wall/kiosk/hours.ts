import type { DisplaySettings } from "@mulkko/shared/rest/displays";

/** Minutes of a day, 0 to 1439. */
export type DayMinute = number;

const MINUTES_OF_DAY = 1_440;

/** Parse a time of day `HH:mm` to minutes. */
export function dayMinuteOf(clock: string): DayMinute {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return (hours * 60 + minutes) % MINUTES_OF_DAY;
}

/** Return true in the hours in which a screen is dimmed; they may cross midnight. */
export function isNight(night: DisplaySettings["night"], minute: DayMinute): boolean {
  if (night === null) return false;
  const from = dayMinuteOf(night.from);
  const to = dayMinuteOf(night.to);
  if (from === to) return false;
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

/** Time of day with the fewest users. */
const DAILY_FROM: DayMinute = 4 * 60;
/** Spreads the reloads of one farm's screens, minutes. */
const DAILY_SPREAD = 20;
/** Maximum wait for a quiet minute, minutes. */
const DAILY_WITHIN = 60;
/** A younger page needs no reload; longer than the reload window, ms. */
const DAILY_UPTIME_MS = 2 * 3_600_000;

/** Return a screen's own minute for its daily reload. @param random in [0, 1) */
export function dailyMinute(random: number): DayMinute {
  return DAILY_FROM + Math.floor(random * DAILY_SPREAD);
}

/**
 * Return true in a quiet minute of the hour after the screen's own minute. `busy`: an alarm of the highest
 * priority is active or a valve is moving.
 */
export function isDailyReload(facts: {
  readonly minute: DayMinute;
  readonly daily: DayMinute;
  readonly uptimeMs: number;
  readonly busy: boolean;
}): boolean {
  const { minute, daily, uptimeMs, busy } = facts;
  return !busy && uptimeMs >= DAILY_UPTIME_MS && minute >= daily && minute < daily + DAILY_WITHIN;
}

/** Time without a socket after which the page reloads, ms. */
export const DARK_RELOAD_MS = 600_000;

/**
 * Return true if the relay is silent for too long. A relay that reports missing values is not silent: a
 * reloaded page would have no values either, and the last ones would be lost.
 */
export function isDarkReload(silentMs: number): boolean {
  return silentMs >= DARK_RELOAD_MS;
}
