import dayjs from "dayjs";
import timezone from "dayjs/plugin/timezone.js";
import utc from "dayjs/plugin/utc.js";

dayjs.extend(utc);
dayjs.extend(timezone);

const PATTERN = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?$/;
const DAY = 86_400_000;
const QUARTER = 900_000;
const MINUTE = 60_000;
const CACHED_OFFSETS = 20_000;

const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));
const two = (number: number): string => TWO_DIGITS[Math.trunc(number)] ?? "";

/** A date and a time of day as numbers; `second` may have a fraction. */
export interface WallParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/**
 * Return a wall time, ms of a calendar without zones; null for an invalid date or time of day. 24:00 is the
 * next day's 00:00, as data loggers write midnight.
 */
export function wallTime({ year, month, day, hour, minute, second }: WallParts): number | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const isInDay = hour <= 23 && minute <= 59 && second < 60;
  if (!isInDay && !(hour === 24 && minute === 0 && second === 0)) return null;
  return date.getTime() + (hour * 60 + minute) * MINUTE + Math.floor(second * 1_000);
}

/** Parse `2026-11-21 14:04[:03]` or `2026-11-21` to a wall time, ms of a calendar without zones. */
export function parseWallTime(text: string): number | null {
  const match = PATTERN.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1).map((part) => Number(part ?? 0));
  return wallTime({
    year: year ?? 0,
    month: month ?? 0,
    day: day ?? 0,
    hour: hour ?? 0,
    minute: minute ?? 0,
    second: (second ?? 0) + Number(`0.${match[7] ?? 0}`),
  });
}

/** Conversion between the wall clock of a zone and instants. */
export interface ApiTimeZone {
  readonly zone: string;
  /**
   * Return the instants, ms since 1970 UTC, at which a clock in the zone shows a wall time. There is none
   * where a clock change skips it. There are two where a clock change repeats it, the earlier first.
   *
   * @param wall ms of a calendar without zones
   */
  instantsOf(wall: number): readonly number[];
  /**
   * Return the first instant at which a clock in the zone shows a wall time or a later one: a skipped time
   * is the next minute that exists, a repeated one is its first occurrence.
   */
  firstAt(wall: number): number;
  /**
   * `2026-11-21 14:04[:03]` or `2026-11-21` in the zone, without any context → ms since 1970 UTC; null if it
   * is no time. A repeated time is its first occurrence. A skipped one is read with the offset before the
   * change, so 02:30 is the moment named 03:30, as `Temporal` does by default. Rows of a farm API are read
   * with their context instead (zoneless-time.ts).
   */
  toInstant(text: string): number | null;
  /** ms since 1970 UTC → `2026-11-21 14:04:03` in the zone. */
  toApi(instant: number): string;
  /** Return what a clock in the zone shows at an instant, ms of a calendar without zones. */
  wallAt(instant: number): number;
  /** Return how far the zone's wall clock is ahead of UTC at an instant (ms since 1970 UTC), ms. */
  offsetAt(instant: number): number;
}

/**
 * @param zone IANA name of the zone
 * @throws RangeError for a zone that the runtime does not know
 *
 * An offset needs a slow `Intl` call, so it is looked up once per UTC day. Only within a day with a clock
 * change is it looked up for each quarter of an hour.
 */
export function createApiTimeZone(zone: string): ApiTimeZone {
  new Intl.DateTimeFormat("en", { timeZone: zone });
  const offsets = new Map<number, number>();
  const lookUp = (instant: number): number => {
    const known = offsets.get(instant);
    if (known !== undefined) return known;
    if (offsets.size >= CACHED_OFFSETS) offsets.clear();
    const offset = dayjs(instant).tz(zone).utcOffset() * MINUTE;
    offsets.set(instant, offset);
    return offset;
  };
  // Successive times are mostly of one day.
  let lastDay = Number.NaN;
  let lastOffset = 0;
  const offsetAt = (instant: number): number => {
    const day = Math.floor(instant / DAY) * DAY;
    if (day === lastDay) return lastOffset;
    const offset = lookUp(day);
    if (offset !== lookUp(day + DAY)) return lookUp(Math.floor(instant / QUARTER) * QUARTER);
    lastDay = day;
    lastOffset = offset;
    return offset;
  };
  const wallAt = (instant: number): number => instant + offsetAt(instant);
  // No zone is a day away from UTC, and none changes its clocks twice in two days.
  const offsetsAround = (wall: number): readonly [number, number] => [
    offsetAt(wall - DAY),
    offsetAt(wall + DAY),
  ];
  const instantsOf = (wall: number): readonly number[] => {
    const [before, after] = offsetsAround(wall);
    if (before === after) return [wall - before];
    const found = [before, after].filter((offset) => offsetAt(wall - offset) === offset);
    return found.map((offset) => wall - offset).sort((a, b) => a - b);
  };
  let writtenDay = Number.NaN;
  let dayText = "";

  return {
    zone,
    offsetAt,
    wallAt,
    instantsOf,
    firstAt(wall) {
      const [first] = instantsOf(wall);
      if (first !== undefined) return first;
      const [before, after] = offsetsAround(wall);
      let [early, late] = [wall - Math.max(before, after), wall - Math.min(before, after)];
      while (late - early > MINUTE) {
        const middle = early + Math.floor((late - early) / 2 / MINUTE) * MINUTE;
        if (wallAt(middle) >= wall) late = middle;
        else early = middle;
      }
      // The change is on a whole minute, and the wall time may not be.
      return Math.floor(late / MINUTE) * MINUTE;
    },
    toInstant(text) {
      const wall = parseWallTime(text);
      return wall === null ? null : (instantsOf(wall)[0] ?? wall - offsetsAround(wall)[0]);
    },
    toApi(instant) {
      const local = wallAt(instant);
      const day = Math.floor(local / DAY) * DAY;
      if (day !== writtenDay) {
        dayText = new Date(day).toISOString().slice(0, 10);
        writtenDay = day;
      }
      const second = Math.floor((local - day) / 1_000);
      return `${dayText} ${two(second / 3_600)}:${two((second / 60) % 60)}:${two(second % 60)}`;
    },
  };
}
