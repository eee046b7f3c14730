import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { describe, expect, it } from "vitest";
import { fieldTime, snoozeEnds, snoozeFault } from "./snooze-end.ts";

const seoul = createApiTimeZone("Asia/Seoul");
const at = (local: string, zone = seoul) => zone.toInstant(local) ?? Number.NaN;
const ends = (now: string, zone = seoul) =>
  snoozeEnds(at(now, zone), zone).map(({ name, at: end }) => [name, zone.toApi(end).slice(0, 16)]);

describe("the end of a snooze", () => {
  it("[ALM-3] offers hours, this evening and tomorrow morning on the account's clock", () => {
    expect(ends("2026-11-22 14:05")).toEqual([
      ["hour", "2026-11-22 15:05"],
      ["fourHours", "2026-11-22 18:05"],
      ["tonight", "2026-11-22 20:00"],
      ["tomorrow", "2026-11-23 07:00"],
    ]);
  });
  it("[ALM-3] offers no evening that is near or over, and the next day as tomorrow at any hour", () => {
    expect(ends("2026-12-31 19:01").map(([name]) => name)).toEqual(["hour", "fourHours", "tomorrow"]);
    expect(ends("2026-12-31 23:59").at(-1)).toEqual(["tomorrow", "2027-01-01 07:00"]);
    expect(ends("2026-12-31 00:00").at(-1)).toEqual(["tomorrow", "2027-01-01 07:00"]);
  });
  it("[ALM-3] is 07:00 also on the morning after a clock change", () => {
    const newYork = createApiTimeZone("America/New_York");
    expect(ends("2026-10-31 21:00", newYork).at(-1)).toEqual(["tomorrow", "2026-11-01 07:00"]);
    expect(ends("2026-03-07 23:30", newYork).at(-1)).toEqual(["tomorrow", "2026-03-08 07:00"]);
  });
  it("[ALM-3] must lie in the future, at most seven days from now", () => {
    const now = at("2026-11-22 14:05");
    const day = 24 * 3_600_000;
    expect(snoozeFault(now, null)).toBe("missing");
    expect(snoozeFault(now, now)).toBe("past");
    expect(snoozeFault(now, now + 1)).toBeNull();
    expect(snoozeFault(now, now + 7 * day)).toBeNull();
    expect(snoozeFault(now, now + 7 * day + 1)).toBe("tooFar");
  });
  it("[ALM-3] is written in the field on the account's clock", () => {
    expect(fieldTime(seoul, at("2026-11-22 07:00"))).toBe("2026-11-22T07:00");
    expect(seoul.toInstant("2026-11-22T07:00")).toBe(at("2026-11-22 07:00"));
  });
});
