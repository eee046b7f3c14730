import { describe, expect, test } from "vitest";
import { dateAt, firstAt, occurrences, wallAt } from "./zones.ts";

const NAMES = ["Asia/Seoul", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago"];
const QUARTER = 15 * 60_000;

describe("[world] zones", () => {
  test.each(NAMES)("[world] %s shows the times that the runtime knows, all of 2026", (name) => {
    const format = new Intl.DateTimeFormat("sv-SE", {
      timeZone: name,
      dateStyle: "short",
      timeStyle: "medium",
    });
    for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2026, 11, 31); at += 3 * QUARTER) {
      const shown = new Date(wallAt(name, at)).toISOString().slice(0, 19).replace("T", " ");
      expect(shown).toBe(format.format(at));
    }
  });

  test("[CAL-1] a skipped time is the next minute that exists, and of a repeated one the first", () => {
    const spring = Date.UTC(2026, 2, 29, 1);
    expect(firstAt("Europe/Berlin", Date.UTC(2026, 2, 29, 2, 30))).toBe(spring);
    const autumn = Date.UTC(2026, 9, 25, 1);
    expect(firstAt("Europe/Berlin", Date.UTC(2026, 9, 25, 2, 30))).toBe(autumn - 2 * QUARTER);
    expect(occurrences("Europe/Berlin", "02:30", autumn, autumn + 8 * QUARTER)).toEqual([]);
  });

  test("[CAL-1] a day of Santiago may begin at 01:00", () => {
    const change = Date.UTC(2026, 8, 6, 4);
    expect(firstAt("America/Santiago", Date.UTC(2026, 8, 6))).toBe(change);
    expect(dateAt("America/Santiago", change - 1)).toBe("2026-09-05");
    expect(dateAt("America/Santiago", change)).toBe("2026-09-06");
  });
});
