import { describe, expect, it } from "vitest";
import { seededRandom } from "../testing/random.ts";
import { createApiTimeZone } from "./api-time.ts";

const utc = (text: string): number => Date.parse(text);

describe("[rest-contract] times of the farm API", () => {
  const seoul = createApiTimeZone("Asia/Seoul");

  it("[rest-contract] reads a time without a zone in the API's zone, with or without seconds", () => {
    expect(seoul.toInstant("2026-11-21 12:00:30")).toBe(utc("2026-11-21T03:00:30Z"));
    expect(seoul.toInstant("2026-11-21 12:00")).toBe(utc("2026-11-21T03:00:00Z"));
    expect(seoul.toInstant("2026-11-21")).toBe(utc("2026-11-20T15:00:00Z"));
    expect(seoul.toInstant("2026-11-21 12:00:30.250")).toBe(utc("2026-11-21T03:00:30.250Z"));
  });

  it("[rest-contract] refuses text that is no time", () => {
    for (const text of ["", "soon", "2026-02-31", "2026-13-01 00:00", "2026-11-21 25:00", "21.11.2026"]) {
      expect(seoul.toInstant(text)).toBeNull();
    }
  });

  it("[rest-contract] writes an instant in the API's zone", () => {
    expect(seoul.toApi(utc("2026-11-20T15:00:05Z"))).toBe("2026-11-21 00:00:05");
  });

  it("[rest-contract] writes every instant as Intl does, in any order", () => {
    const random = seededRandom(7);
    for (const zone of ["Asia/Seoul", "America/New_York", "Australia/Lord_Howe", "UTC"]) {
      const api = createApiTimeZone(zone);
      const intl = new Intl.DateTimeFormat("sv", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
      let instant = utc("2026-01-01T00:00:00Z");
      for (let step = 0; step < 1_000; step += 1) {
        // Mostly a small step, sometimes a jump to another time of the year.
        instant += random() < 0.9 ? Math.floor(random() * 3_600_000) : Math.floor((random() - 0.5) * 2e10);
        expect(api.toApi(instant)).toBe(intl.format(instant));
      }
    }
  });

  it("[rest-contract] follows daylight saving where the zone has it", () => {
    const amsterdam = createApiTimeZone("Europe/Amsterdam");
    expect(amsterdam.toInstant("2026-07-01 12:00")).toBe(utc("2026-07-01T10:00:00Z"));
    expect(amsterdam.toInstant("2026-12-01 12:00")).toBe(utc("2026-12-01T11:00:00Z"));
    expect(amsterdam.toInstant("2026-03-29 01:59")).toBe(utc("2026-03-29T00:59:00Z"));
    expect(amsterdam.toInstant("2026-03-29 03:00")).toBe(utc("2026-03-29T01:00:00Z"));
  });

  it.each([
    // zone, the hour that is skipped, what it is read as, the hour that is repeated, its first occurrence
    [
      "Europe/Amsterdam",
      "2026-03-29 02:30",
      "2026-03-29T01:30:00Z",
      "2026-10-25 02:30",
      "2026-10-25T00:30:00Z",
    ],
    [
      "America/New_York",
      "2026-03-08 02:30",
      "2026-03-08T07:30:00Z",
      "2026-11-01 01:30",
      "2026-11-01T05:30:00Z",
    ],
    [
      "Australia/Lord_Howe",
      "2026-10-04 02:15",
      "2026-10-03T15:45:00Z",
      "2026-04-05 01:45",
      "2026-04-04T14:45:00Z",
    ],
  ])(
    "[rest-contract] in %s a skipped time is read as the one an hour on, a repeated one as its first",
    (zone, skipped, read, repeated, first) => {
      const api = createApiTimeZone(zone);
      expect(api.toInstant(skipped)).toBe(utc(read));
      expect(api.toInstant(repeated)).toBe(utc(first));
      expect(api.toApi(utc(first))).toBe(`${repeated}:00`);
    },
  );

  it("[rest-contract] writes both occurrences of a repeated time alike, and distinguishes the times around it", () => {
    const amsterdam = createApiTimeZone("Europe/Amsterdam");
    const [first, second] = [utc("2026-10-25T00:30:00Z"), utc("2026-10-25T01:30:00Z")];
    expect(amsterdam.toApi(first)).toBe(amsterdam.toApi(second));
    expect(amsterdam.toInstant("2026-10-25 01:59")).toBe(utc("2026-10-24T23:59:00Z"));
    expect(amsterdam.toInstant("2026-10-25 03:00")).toBe(utc("2026-10-25T02:00:00Z"));
    expect(amsterdam.toInstant("2026-03-29 01:59:59")).toBe(utc("2026-03-29T00:59:59Z"));
    expect(amsterdam.toInstant("2026-03-29 03:00")).toBe(utc("2026-03-29T01:00:00Z"));
  });

  it("[rest-contract] returns to the start for every hour of a year", () => {
    for (const zone of ["Asia/Seoul", "America/New_York", "Asia/Kolkata"]) {
      const api = createApiTimeZone(zone);
      for (let hour = 0; hour < 8_760; hour += 1) {
        const instant = utc("2026-01-01T00:00:00Z") + hour * 3_600_000;
        const back = api.toInstant(api.toApi(instant));
        const repeatedHour = back !== null && Math.abs(back - instant) === 3_600_000;
        if (!repeatedHour) expect(back).toBe(instant);
      }
    }
  });

  it("[config] refuses an unknown zone", () => {
    expect(() => createApiTimeZone("Mars/Olympus")).toThrow(RangeError);
  });
});
