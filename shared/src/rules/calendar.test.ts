import { describe, expect, it, test } from "vitest";
import { seededRandom } from "../testing/random.ts";
import { CHANGING_ZONES, changesOf, occurrencesAmong, wallMinutes } from "../testing/wall-clock.ts";
import {
  addDays,
  addMonths,
  atSameTime,
  dateAt,
  dayOfDate,
  isDate,
  occurrencesAround,
  occurrencesIn,
  timeOnDate,
  zoneNamed,
} from "./calendar.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SEED = 20_261_128;
const iso = (instant: number | null): string => new Date(instant ?? Number.NaN).toISOString();
const CHANGES = changesOf(CHANGING_ZONES, [2026]);

/** Return times of day around a clock change, and some of the rest of the day. */
function timesAround(change: { zone: string; at: number }, random: () => number): string[] {
  const zone = zoneNamed(change.zone);
  const near = [-90, -60, -31, -30, -29, -1, 0, 1, 29, 30, 31, 59, 60, 61, 119, 120].map((minutes) =>
    zone.toApi(change.at + minutes * MINUTE).slice(11, 16),
  );
  const any = Array.from({ length: 3 }, () => Math.floor(random() * 1_440));
  const text = (minute: number) =>
    [Math.floor(minute / 60), minute % 60].map((part) => `${part}`.padStart(2, "0")).join(":");
  return [...new Set([...near, ...any.map(text), "00:00", "00:30", "02:30", "23:30", "23:59"])];
}

describe("a time of day", () => {
  it("[CAL-1] occurs once a date around every clock change, as Intl shows it", () => {
    const random = seededRandom(Number(process.env.FUZZ_SEED ?? SEED));
    for (const change of CHANGES) {
      const zone = zoneNamed(change.zone);
      const midnight = Math.floor(change.at / DAY) * DAY;
      const minutes = wallMinutes(change.zone, midnight - 2 * DAY, midnight + 3 * DAY);
      const [from, to] = [midnight - DAY, midnight + 2 * DAY];
      for (const onTime of timesAround(change, random)) {
        const expected = occurrencesAmong(minutes, onTime).filter((at) => at >= from && at < to);
        const found = occurrencesIn(onTime, zone, from, to);
        const where = `${change.zone} ${onTime}`;
        expect([where, ...found.map(({ at }) => iso(at))]).toEqual([where, ...expected.map(iso)]);
        expect(new Set(found.map(({ name }) => name)).size).toBe(found.length);
        // Yesterday's, today's and tomorrow's at any moment are among the same.
        for (const { at, name } of found) {
          const near = occurrencesAround(onTime, change.zone, at + Math.floor(random() * MINUTE));
          expect(near).toContainEqual({ at, name });
        }
      }
    }
  });

  it("[CAL-1] is no occurrence where it is no time", () => {
    const seoul = zoneNamed("Asia/Seoul");
    for (const text of ["", "soon", "25:00", "12:60", "24:30"]) {
      expect(occurrencesIn(text, seoul, 0, 3 * DAY)).toEqual([]);
      expect(occurrencesAround(text, "Asia/Seoul", 0)).toEqual([]);
      expect(timeOnDate("2026-11-21", text, seoul)).toBeNull();
    }
    expect(timeOnDate("2026-02-30", "06:00", seoul)).toBeNull();
    expect(iso(timeOnDate("2026-11-21", "6:05", seoul))).toBe("2026-11-20T21:05:00.000Z");
    expect(iso(timeOnDate("2026-11-21", "24:00", seoul))).toBe("2026-11-21T15:00:00.000Z");
  });
});

describe("a day", () => {
  it("[CAL-1] has the minutes that Intl shows with its date, 22 to 26 hours of them", () => {
    for (const change of CHANGES) {
      const zone = zoneNamed(change.zone);
      const midnight = Math.floor(change.at / DAY) * DAY;
      const minutes = wallMinutes(change.zone, midnight - 2 * DAY, midnight + 3 * DAY);
      for (const days of [-1, 0, 1]) {
        const date = addDays(dateAt(change.at, zone), days);
        const own = minutes.filter(({ wall }) => wall.startsWith(date));
        const { from, to } = dayOfDate(date, zone);
        expect([change.zone, iso(from), (to - from) / MINUTE]).toEqual([
          change.zone,
          iso(own[0]?.at ?? null),
          own.length,
        ]);
        for (const at of [from, to - 1]) expect(dateAt(at, zone)).toBe(date);
      }
    }
  });

  it("[CAL-1] has the days before and after it, and the same day of other months", () => {
    expect(addDays("2026-03-29", 1)).toBe("2026-03-30");
    expect(addDays("2026-01-01", -1)).toBe("2025-12-31");
    expect(addDays("2024-02-28", 1)).toBe("2024-02-29");
    expect(addMonths("2026-03-31", -1)).toBe("2026-02-28");
    expect(addMonths("2026-01-15", -3)).toBe("2025-10-15");
    expect(addMonths("2026-11-30", 3)).toBe("2027-02-28");
    expect(isDate("2026-02-29")).toBe(false);
    expect(isDate("2026-11-21 12:00")).toBe(false);
    expect(dayOfDate("soon", zoneNamed("Asia/Seoul"))).toEqual({
      date: "soon",
      from: Number.NaN,
      to: Number.NaN,
    });
  });

  test.each([
    ["2026-03-30T04:00:00Z", "2026-03-29", "2026-03-29T04:00:00.000Z"],
    ["2026-03-30T00:30:00Z", "2026-03-29", "2026-03-29T01:00:00.000Z"],
    ["2026-10-26T05:00:00Z", "2026-10-24", "2026-10-24T04:00:00.000Z"],
  ])("[CAL-1] shows the same time at %s and on %s", (from, date, expected) => {
    expect(iso(atSameTime(Date.parse(from), date, zoneNamed("Europe/Berlin")))).toBe(expected);
  });
});

it("[CAL-1] refuses a zone that does not exist", () => {
  expect(() => zoneNamed("Mars/Olympus")).toThrow(RangeError);
  expect(() => occurrencesAround("06:00", "Mars/Olympus", 0)).toThrow(RangeError);
});
