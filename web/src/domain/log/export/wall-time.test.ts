import { describe, expect, it } from "vitest";
import { zoneTitle } from "./write-workbook.ts";

const DAY_MS = 86_400_000;
const AT = Date.parse("2026-11-21T15:00:00Z");

describe("time zone of a workbook", () => {
  it("[spec 9] is named with its UTC offset, also for half hours and negative offsets", () => {
    expect(zoneTitle("Asia/Seoul", AT, AT + DAY_MS)).toBe("Asia/Seoul (UTC+09:00)");
    expect(zoneTitle("Asia/Kolkata", AT, AT + DAY_MS)).toBe("Asia/Kolkata (UTC+05:30)");
    expect(zoneTitle("America/New_York", AT, AT + DAY_MS)).toBe("America/New_York (UTC−05:00)");
  });
  it("[spec 9] has both offsets if its clock changes in the range", () => {
    const summer = Date.parse("2026-10-20T00:00:00Z");
    expect(zoneTitle("Europe/Berlin", summer, AT)).toBe("Europe/Berlin (UTC+02:00, UTC+01:00)");
  });
});
