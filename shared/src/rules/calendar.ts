import { type ApiTimeZone, createApiTimeZone, parseWallTime } from "./api-time.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const TIME_OF_DAY = /^(\d{1,2}):(\d{2})/;

/** Most cached zones; each caches its offsets. */
const MAX_ZONES = 64;
const zones = new Map<string, ApiTimeZone>();

/** Return the clock of a zone, created once. @throws RangeError for an unknown zone */
export function zoneNamed(name: string): ApiTimeZone {
  const known = zones.get(name);
  if (known) return known;
  if (zones.size >= MAX_ZONES) zones.clear();
  const zone = createApiTimeZone(name);
  zones.set(name, zone);
  return zone;
}

/** True for a zone that {@link zoneNamed} returns. Much faster than a look into the runtime each time. */
export function isZoneName(name: string): boolean {
  try {
    return zoneNamed(name).zone === name;
  } catch {
    return false;
  }
}

const dateOf = (wall: number): string => new Date(wall).toISOString().slice(0, "2026-11-21".length);

/** Return midnight of a date, ms of a calendar without zones; NaN for an invalid date. */
const midnightOf = (date: string): number =>
  (date.length === "2026-11-21".length ? parseWallTime(date) : null) ?? Number.NaN;

/** True for an existing date, `YYYY-MM-DD`. */
export const isDate = (text: string): boolean => !Number.isNaN(midnightOf(text));

/** Return the date that a calendar in the zone shows at an instant, `YYYY-MM-DD`. */
export const dateAt = (instant: number, zone: ApiTimeZone): string => dateOf(zone.wallAt(instant));

/** Return the date so many days later, or earlier. */
export const addDays = (date: string, days: number): string => dateOf(midnightOf(date) + days * DAY);

/** Return the same day of the month so many months later or earlier, or the last day of a shorter month. */
export function addMonths(date: string, months: number): string {
  const [year, month, day] = date.split("-").map(Number);
  const count = (year ?? 0) * 12 + (month ?? 1) - 1 + months;
  const lengthOfMonth = new Date(Date.UTC(Math.floor(count / 12), (count % 12) + 1, 0)).getUTCDate();
  return dateOf(Date.UTC(Math.floor(count / 12), count % 12, Math.min(day ?? 1, lengthOfMonth)));
}

/**
 * Return the instant of a time of day on a date, ms since 1970 UTC; null if one of them is invalid (CAL-1). A
 * time that a clock change skips is the next minute that exists. Of a repeated one it is the first.
 *
 * @param time HH:mm; anything after the minutes is ignored
 */
export function timeOnDate(date: string, time: string, zone: ApiTimeZone): number | null {
  const [, hour = "", minute = ""] = TIME_OF_DAY.exec(time) ?? [];
  const wall = parseWallTime(`${date} ${hour.padStart(2, "0")}:${minute}`);
  return wall === null ? null : zone.firstAt(wall);
}

/** Return the first instant of a date, which may be later than 00:00; NaN for an invalid date. */
export const startOfDate = (date: string, zone: ApiTimeZone): number => dayOfDate(date, zone).from;

/** A day of a zone, 23 to 25 hours long as a rule. Times are ms since 1970 UTC; `to` is exclusive. */
export interface CalendarDay {
  readonly date: string;
  readonly from: number;
  readonly to: number;
}

/** Return a date as a day of the zone; its times are NaN for an invalid date. */
export function dayOfDate(date: string, zone: ApiTimeZone): CalendarDay {
  const midnight = midnightOf(date);
  if (Number.isNaN(midnight)) return { date, from: Number.NaN, to: Number.NaN };
  return { date, from: zone.firstAt(midnight), to: zone.firstAt(midnight + DAY) };
}

/** Return the instant that shows the same time of day on another date. */
export function atSameTime(instant: number, date: string, zone: ApiTimeZone): number {
  const wall = zone.wallAt(instant);
  return zone.firstAt(midnightOf(date) + (wall - Math.floor(wall / DAY) * DAY));
}

/** One occurrence of a time of day. */
export interface Occurrence {
  /** Requested `YYYY-MM-DD HH:mm`: the same for a minute repeated by a clock change. */
  readonly name: string;
  /** ms since 1970 UTC */
  readonly at: number;
}

/**
 * Return the occurrences of a time of day in [`from`, `to`), one for each date, oldest first (CAL-1). Empty
 * for an invalid time of day.
 *
 * @param onTime HH:mm
 */
export function occurrencesIn(onTime: string, zone: ApiTimeZone, from: number, to: number): Occurrence[] {
  const found: Occurrence[] = [];
  // A time that is skipped at the end of a date occurs on the next one.
  const last = addDays(dateAt(to, zone), 1);
  for (let date = addDays(dateAt(from, zone), -1); date <= last; date = addDays(date, 1)) {
    const at = timeOnDate(date, onTime, zone);
    if (at !== null && at >= from && at < to) found.push({ name: `${date} ${onTime}`, at });
  }
  return found;
}

const QUARTER = 15 * MINUTE;
const KEPT_ANSWERS = 512;
/** Results by time, zone and quarter of an hour: days begin and clocks change on a quarter, everywhere. */
const answers = new Map<string, readonly Occurrence[]>();

/**
 * Return the occurrences of a time of day around an instant: yesterday's, today's and tomorrow's (CAL-1).
 *
 * @param onTime HH:mm
 * @param timezone IANA name
 * @param now ms since 1970 UTC
 * @throws RangeError for an unknown zone
 */
export function occurrencesAround(onTime: string, timezone: string, now: number): readonly Occurrence[] {
  const quarter = `${timezone} ${onTime} ${Math.floor(now / QUARTER)}`;
  const known = answers.get(quarter);
  if (known) return known;
  if (answers.size >= KEPT_ANSWERS) answers.clear();
  const zone = zoneNamed(timezone);
  const today = dateAt(now, zone);
  const found = [-1, 0, 1].flatMap((days) => {
    const date = addDays(today, days);
    const at = timeOnDate(date, onTime, zone);
    return at === null ? [] : [{ name: `${date} ${onTime}`, at }];
  });
  answers.set(quarter, found);
  return found;
}
