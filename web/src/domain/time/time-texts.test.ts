import { describe, expect, it } from "vitest";
import { createTimeTexts } from "./time-texts.ts";

describe("time formats", () => {
  it("[time] use the account's day, not the machine's, in every language", () => {
    const instant = Date.parse("2026-11-21T16:30:00Z");
    for (const language of ["ko", "en", "zh"]) {
      expect(createTimeTexts(language, "Asia/Seoul").isoDay(instant)).toBe("2026-11-22");
      expect(createTimeTexts(language, "America/New_York").isoDay(instant)).toBe("2026-11-21");
    }
  });
  it("[time] name a time zone as people do, not by its database id", () => {
    expect(["ko", "en", "zh"].map((language) => createTimeTexts(language, "Asia/Seoul").zoneName)).toEqual([
      "한국 표준시",
      "Korean Standard Time",
      "韩国标准时间",
    ]);
  });
  it("[time] use Seoul's time for an unknown time zone", () => {
    expect(createTimeTexts("en", "Mars/Olympus").time(Date.parse("2026-11-21T16:30:00Z"))).toBe("01:30");
  });
});
