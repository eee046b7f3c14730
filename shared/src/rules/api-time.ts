import dayjs from "dayjs";
import customParseFormat from "dayjs/plugin/customParseFormat.js";
import timezone from "dayjs/plugin/timezone.js";
import utc from "dayjs/plugin/utc.js";

dayjs.extend(utc);
dayjs.extend(timezone);
dayjs.extend(customParseFormat);

const PATTERN = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?$/;
const DAY = 86_400_000;
const QUARTER = 900_000;
const CACHED_OFFSETS = 20_000;

const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));
const two = (number: number): string => TWO_DIGITS[Math.trunc(number)] ?? "";

/** Conversion between times of the farm API, which carry no zone, and instants. */
export interface ApiTimeZone {
  readonly zone: string;
  /** `2026-11-21 14:04[:03]` or `2026-11-21` in the API's zone → ms since 1970 UTC; null if it is no time. */
  toInstant(text: string): number | null;
  /** ms since 1970 UTC → `2026-11-21 14:04:03` in the API's zone. */
  toApi(instant: number): string;
  /** Return how far the zone's wall clock is ahead of UTC at an instant (ms since 1970 UTC), ms. */
  offsetAt(instant: number): number;
}

/**
 * @param zone IANA name of the API's zone
 * @throws RangeError for a zone that the runtime does not know
 *
 * An offset needs a slow `Intl` call, so it is looked up once per UTC day. Only within a day with a clock
 * change is it looked up for each quarter of an hour.
 *
 * Where the zone has daylight saving, a time without a zone is ambiguous. A repeated hour is read as its
 * first occurrence, so times of the second one look an hour too old. A skipped hour is read with the offset
 * before the change, so 02:30 is the moment named 03:30. `Temporal` does the same by default. `toApi` is
 * exact; only `toInstant` is ambiguous.
 */
export function createApiTimeZone(zone: string): ApiTimeZone {
  new Intl.DateTimeFormat("en", { timeZone: zone });
  const offsets = new Map<number, number>();
  const lookUp = (instant: number): number => {
    const known = offsets.get(instant);
    if (known !== undefined) return known;
    if (offsets.size >= CACHED_OFFSETS) offsets.clear();
    const offset = dayjs(instant).tz(zone).utcOffset() * 60_000;
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
  let writtenDay = Number.NaN;
  let dayText = "";

  return {
    zone,
    offsetAt,
    toInstant(text) {
      const match = PATTERN.exec(text);
      if (!match) return null;
      const [, year, month, day, hour = "00", minute = "00", second = "00", fraction = "0"] = match;
      const local = Date.UTC(
        Number(year),
        Number(month) - 1,
        Number(day),
        Number(hour),
        Number(minute),
        Number(second),
        Math.floor(Number(`0.${fraction}`) * 1000),
      );
      const back = new Date(local);
      if (back.getUTCMonth() !== Number(month) - 1 || back.getUTCDate() !== Number(day)) return null;
      if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
      // No zone is a day away from UTC, and none changes its clocks twice in two days.
      const before = offsetAt(local - DAY);
      const after = offsetAt(local + DAY);
      if (before === after || offsetAt(local - before) === before) return local - before;
      return offsetAt(local - after) === after ? local - after : local - before;
    },
    toApi(instant) {
      const local = instant + offsetAt(instant);
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
