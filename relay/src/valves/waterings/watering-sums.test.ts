import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { describe, expect, it } from "vitest";
import { buildWatering } from "../../../testing/waterings.ts";
import { wateringSums } from "./list-waterings.ts";

const seoul = createApiTimeZone("Asia/Seoul");
const berlin = createApiTimeZone("Europe/Berlin");
const now = Date.parse("2026-11-21T05:00:00Z");

describe("sums of waterings", () => {
  it("[WAT-2] count by farm and by the day of the account's time zone", () => {
    const sums = wateringSums(
      [
        buildWatering("2026-11-20T14:59:59.000Z", { litres: 10 }),
        buildWatering("2026-11-20T15:00:00.000Z", { litres: 12.1 }),
        buildWatering("2026-11-21T01:00:00.000Z", { litres: 0.2 }),
        buildWatering("2026-11-21T02:00:00.000Z", { farmIds: ["1", "2"] }),
        buildWatering("2026-11-21T03:00:00.000Z", { farmIds: [] }),
      ],
      seoul,
      now,
    );
    expect(sums).toEqual([
      { date: "2026-11-21", farmId: null, count: 1, running: 0, seconds: 600, litres: null, measured: 0 },
      { date: "2026-11-21", farmId: "1", count: 3, running: 0, seconds: 1_800, litres: 12.3, measured: 2 },
      { date: "2026-11-21", farmId: "2", count: 1, running: 0, seconds: 600, litres: null, measured: 0 },
      { date: "2026-11-20", farmId: "1", count: 1, running: 0, seconds: 600, litres: 10, measured: 1 },
    ]);
  });

  it("[WAT-2] a day of 25 hours is one day, and so is one of 23", () => {
    const hours = (first: string, count: number) =>
      Array.from({ length: count }, (_, hour) =>
        buildWatering(new Date(Date.parse(first) + hour * 3_600_000).toISOString()),
      );
    const counts = (first: string, count: number) =>
      wateringSums(hours(first, count), berlin, now).map(({ date, count: found }) => [date, found]);
    expect(counts("2026-10-24T22:00:00.000Z", 26)).toEqual([
      ["2026-10-26", 1],
      ["2026-10-25", 25],
    ]);
    expect(counts("2026-03-28T23:00:00.000Z", 24)).toEqual([
      ["2026-03-30", 1],
      ["2026-03-29", 23],
    ]);
  });

  it("[WAT-2] count a running watering up to now", () => {
    const [sum] = wateringSums([buildWatering("2026-11-21T04:59:00.000Z", { end: null })], seoul, now);
    expect(sum).toMatchObject({ running: 1, seconds: 60 });
  });
});
