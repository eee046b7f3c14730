import type { DisplaySettings } from "@mulkko/shared/rest/displays";

/** Minutes of a day, 0 to 1439. */
export type DayMinute = number;

const MINUTES_OF_DAY = 1_440;

/** A time of day written `HH:mm`, in minutes. */
export function dayMinuteOf(clock: string): DayMinute {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return (hours * 60 + minutes) % MINUTES_OF_DAY;
}

/** True in the hours in which a screen is dimmed; they may pass midnight. */
export function isNight(night: DisplaySettings["night"], minute: DayMinute): boolean {
  if (night === null) return false;
  const from = dayMinuteOf(night.from);
  const to = dayMinuteOf(night.to);
  if (from === to) return false;
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

/** When most farms and those who watch them sleep. */
const DAILY_FROM: DayMinute = 4 * 60;
/** Screens of one farm do not all load at once. */
const DAILY_SPREAD = 20;
/** How long it is waited for a quiet minute. */
const DAILY_WITHIN = 60;
/** A page that is younger has nothing to be cleaned of; longer than the hour in which it is looked for, ms. */
const DAILY_UPTIME_MS = 2 * 3_600_000;

/** A screen's own minute for its daily reload. @param random in [0, 1) */
export function dailyMinute(random: number): DayMinute {
  return DAILY_FROM + Math.floor(random * DAILY_SPREAD);
}

/** What is known when a daily reload is thought of. */
export interface DailyFacts {
  readonly minute: DayMinute;
  readonly daily: DayMinute;
  readonly uptimeMs: number;
  /** Something most urgent is wrong, or a valve is being turned. */
  readonly busy: boolean;
}

/** True in a quiet minute of the hour from the screen's own minute on. */
export function isDailyReload({ minute, daily, uptimeMs, busy }: DailyFacts): boolean {
  return !busy && uptimeMs >= DAILY_UPTIME_MS && minute >= daily && minute < daily + DAILY_WITHIN;
}

/** How long a screen without a socket tries to come back before it is loaded anew, ms. */
export const DARK_RELOAD_MS = 600_000;

/**
 * True once nothing was heard of the relay for too long. One that says that it has no values just now is heard: a page
 * loaded anew would have none either, and the last ones would be gone.
 */
export function isDarkReload(silentMs: number): boolean {
  return silentMs >= DARK_RELOAD_MS;
}
