import type { WateringSum } from "@mulkko/shared/rest/waterings";
import { describe, expect, it } from "vitest";
import { NO_FARM } from "../../domain/farm/farm-members.ts";
import { daySum, seenSince, seenTodaySince } from "./day-sum.ts";

const sum = (change: Partial<WateringSum>): WateringSum => ({
  date: "2026-11-22",
  farmId: "1",
  count: 1,
  running: 0,
  seconds: 60,
  litres: null,
  measured: 0,
  ...change,
});

describe("daily total", () => {
  const sums = [
    sum({ count: 4, seconds: 1_830, litres: 300.5, measured: 3, running: 1 }),
    sum({ farmId: "2", count: 2, seconds: 690, litres: 111.5, measured: 2 }),
    sum({ farmId: null, count: 1, seconds: 60 }),
    sum({ date: "2026-11-21", count: 9, seconds: 9_000, litres: 1, measured: 1 }),
  ];

  it("[WAT-2] covers one farm and one day", () => {
    expect(daySum(sums, "2026-11-22", "1")).toEqual({
      count: 4,
      running: 1,
      seconds: 1_830,
      litres: 300.5,
      unmeasured: 1,
    });
    expect(daySum(sums, "2026-11-22", "3")).toEqual({
      count: 0,
      running: 0,
      seconds: 0,
      litres: null,
      unmeasured: 0,
    });
  });

  it("[WAT-2] covers everything, devices without a farm included", () => {
    expect(daySum(sums, "2026-11-22", null)).toMatchObject({
      count: 7,
      seconds: 2_580,
      litres: 412,
      unmeasured: 2,
    });
    expect(daySum(sums, "2026-11-22", NO_FARM)).toMatchObject({ count: 1, litres: null, unmeasured: 1 });
  });
});

describe("since when waterings of today are known", () => {
  const day = { today: "2026-11-22", timezone: "Asia/Seoul" };
  it.each([
    ["the relay began to watch today", "2026-11-22T04:25:00.000Z", Date.parse("2026-11-22T04:25:00.000Z")],
    [
      "it began in the first minute of the day",
      "2026-11-21T15:00:00.000Z",
      Date.parse("2026-11-21T15:00:00.000Z"),
    ],
    ["it began in the last minute of the day before", "2026-11-21T14:59:00.000Z", null],
    ["it has watched for a week", "2026-11-15T04:25:00.000Z", null],
  ])("[WAT-4] says it where %s", (_, knownFrom, expected) => {
    expect(seenTodaySince({ ...day, knownFrom })).toBe(expected);
  });
});

describe("since when waterings are known", () => {
  const keptFrom = "2026-11-15T04:25:00.000Z";
  it("[WAT-4] is said only where the relay began to watch after the first day that is kept", () => {
    expect(seenSince({ keptFrom, knownFrom: keptFrom })).toBeNull();
    const knownFrom = "2026-11-20T04:25:00.000Z";
    expect(seenSince({ keptFrom, knownFrom })).toBe(Date.parse(knownFrom));
  });
});
