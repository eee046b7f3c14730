import { describe, expect, it } from "vitest";
import { createTimeWords } from "./time-words.ts";

describe("time words", () => {
  it("[time] a day is the account's, not the machine's, in every language", () => {
    const instant = Date.parse("2026-11-21T16:30:00Z");
    for (const language of ["ko", "en", "zh"]) {
      expect(createTimeWords(language, "Asia/Seoul").isoDay(instant)).toBe("2026-11-22");
      expect(createTimeWords(language, "America/New_York").isoDay(instant)).toBe("2026-11-21");
    }
  });
  it("[time] a zone that nobody knows is read as Seoul's", () => {
    expect(createTimeWords("en", "Mars/Olympus").time(Date.parse("2026-11-21T16:30:00Z"))).toBe("01:30");
  });
});
