import { expect, test } from "vitest";
import { growthOf, riseOf } from "./growth.ts";

const hours = (count: number, heapAt: (hour: number) => number): number[] =>
  Array.from({ length: count }, (_, hour) => heapAt(hour));

test("[W-11] what fills up to a bound in the first half is no growth, and what goes on is", () => {
  expect(growthOf(hours(25, (hour) => 60 + Math.min(hour, 10)))).toBeNull();
  expect(growthOf(hours(25, (hour) => 60 + hour / 10))).toBeNull();
  expect(growthOf(hours(25, (hour) => 60 + hour / 2))).toMatch(/0\.50 MB/);
  // One hour with more garbage is no trend.
  expect(growthOf(hours(25, (hour) => 60 + (hour === 20 ? 8 : 0)))).toBeNull();
  // Too short to say.
  expect(growthOf(hours(16, (hour) => 60 + hour))).toBeNull();
  expect(riseOf(hours(3, (hour) => hour))).toBeNull();
});
