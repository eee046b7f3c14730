import type { WateringSum } from "@mulkko/shared/rest/waterings";
import { describe, expect, it } from "vitest";
import { daySum } from "./day-sum.ts";

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

describe("the sum of a day", () => {
  const sums = [
    sum({ count: 4, seconds: 1_830, litres: 300.5, measured: 3, running: 1 }),
    sum({ farmId: "2", count: 2, seconds: 690, litres: 111.5, measured: 2 }),
    sum({ farmId: null, count: 1, seconds: 60 }),
    sum({ date: "2026-11-21", count: 9, seconds: 9_000, litres: 1, measured: 1 }),
  ];

  it("[WAT-2] is of one farm and one day", () => {
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

  it("[WAT-2] is of everything, also of what is on no farm", () => {
    expect(daySum(sums, "2026-11-22")).toMatchObject({
      count: 7,
      seconds: 2_580,
      litres: 412,
      unmeasured: 2,
    });
    expect(daySum(sums, "2026-11-22", null)).toMatchObject({ count: 1, litres: null, unmeasured: 1 });
  });
});
