import { describe, expect, it } from "vitest";
import { addDays, addMonths, dayAfterKey, dayIn, firstDayOfWeek, pick, weeksOf } from "./calendar.ts";

describe("calendar", () => {
  it("[log] selects a range with two clicks in either order, and none with one", () => {
    expect(pick(null, "2026-11-05")).toEqual({ first: "2026-11-05", done: null });
    expect(pick("2026-11-05", "2026-11-01")).toEqual({
      first: null,
      done: { start: "2026-11-01", end: "2026-11-05" },
    });
    expect(pick("2026-11-05", "2026-11-05").done).toEqual({ start: "2026-11-05", end: "2026-11-05" });
  });
  it("[log] takes today from the account's time zone", () => {
    const midnight = Date.parse("2026-11-21T15:30:00Z");
    expect(dayIn(midnight, "Asia/Seoul")).toBe("2026-11-22");
    expect(dayIn(midnight, "America/New_York")).toBe("2026-11-21");
  });
  it("[log] shows whole weeks, starting on Sunday in Korea and on Monday in China", () => {
    const november = { year: 2026, month: 11 };
    const korean = weeksOf(november, firstDayOfWeek("ko"));
    expect(korean).toHaveLength(5);
    expect([korean[0]?.[0], korean.at(-1)?.at(-1)]).toEqual(["2026-11-01", "2026-12-05"]);
    const chinese = weeksOf(november, firstDayOfWeek("zh"));
    expect(chinese).toHaveLength(6);
    expect([chinese[0]?.[0], chinese.at(-1)?.at(-1)]).toEqual(["2026-10-26", "2026-12-06"]);
  });
  it("[log] contains every day of twenty years once, in order", () => {
    let expected = "2016-01-01";
    for (let months = 0; months < 240; months += 1) {
      const month = addMonths({ year: 2016, month: 1 }, months);
      const own = `${month.year}-${`${month.month}`.padStart(2, "0")}`;
      for (const day of weeksOf(month, 1).flat()) {
        if (!day.startsWith(own)) continue;
        expect(day).toBe(expected);
        expected = addDays(expected, 1);
      }
    }
    expect(expected).toBe("2036-01-01");
  });
  it("[log] moves by days and weeks with arrow keys, and by months within their length", () => {
    expect(dayAfterKey("2026-03-01", "ArrowLeft")).toBe("2026-02-28");
    expect(dayAfterKey("2026-02-28", "ArrowDown")).toBe("2026-03-07");
    expect(dayAfterKey("2026-03-31", "PageUp")).toBe("2026-02-28");
    expect(dayAfterKey("2026-12-31", "PageDown")).toBe("2027-01-31");
    expect(dayAfterKey("2026-12-31", "a")).toBeNull();
  });
});
