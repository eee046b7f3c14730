import { describe, expect, it } from "vitest";
import { DARK_RELOAD_MS, dailyMinute, dayMinuteOf, isDailyReload, isDarkReload, isNight } from "./hours.ts";

const HOUR = 3_600_000;

describe("hours of a screen", () => {
  it("[wall] supports a night across midnight; without a night, or with an empty one, it never dims", () => {
    const night = { from: "22:30", to: "05:00" };
    const at = (clock: string) => isNight(night, dayMinuteOf(clock));
    expect(["22:29", "22:30", "00:00", "04:59", "05:00", "12:00"].map(at)).toEqual([
      false,
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(isNight({ from: "01:00", to: "05:00" }, dayMinuteOf("03:00"))).toBe(true);
    expect(isNight({ from: "01:00", to: "05:00" }, dayMinuteOf("06:00"))).toBe(false);
    expect(isNight(null, 0)).toBe(false);
    expect(isNight({ from: "05:00", to: "05:00" }, dayMinuteOf("05:00"))).toBe(false);
  });

  it("[wall] reloads daily at about four in the morning, each screen at its own minute", () => {
    expect(dailyMinute(0)).toBe(240);
    expect(dailyMinute(0.999)).toBe(259);
  });

  it("[wall] waits up to an hour for a quiet minute and reloads once", () => {
    const facts = { daily: 245, minute: 245, uptimeMs: 20 * HOUR, busy: false };
    expect(isDailyReload(facts)).toBe(true);
    expect(isDailyReload({ ...facts, minute: 244 })).toBe(false);
    expect(isDailyReload({ ...facts, busy: true })).toBe(false);
    expect(isDailyReload({ ...facts, minute: 290 })).toBe(true);
    expect(isDailyReload({ ...facts, minute: 305 })).toBe(false);
    expect(isDailyReload({ ...facts, uptimeMs: HOUR })).toBe(false);
  });

  it("[wall] reloads after ten minutes without the relay", () => {
    expect(isDarkReload(DARK_RELOAD_MS - 1)).toBe(false);
    expect(isDarkReload(DARK_RELOAD_MS)).toBe(true);
  });
});
