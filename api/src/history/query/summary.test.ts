import fc from "fast-check";
import { expect, test } from "vitest";
import { EMPTY, meanOf, merge, type Summary, varianceOf } from "./summary.ts";

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function summaryOf(values: readonly number[]): Summary {
  if (values.length === 0) return EMPTY;
  const middle = mean(values);
  return {
    count: values.length,
    min: Math.min(...values),
    max: Math.max(...values),
    mean: middle,
    spread: values.reduce((sum, value) => sum + (value - middle) ** 2, 0),
    last: values.at(-1) ?? null,
    cos: mean(values.map((value) => Math.cos(radians(value)))),
    sin: mean(values.map((value) => Math.sin(radians(value)))),
  };
}

test("[statistics] merged parts equal the whole, even far from zero", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.integer({ min: 4_577_000, max: 4_578_000 }), { maxLength: 6 }), { maxLength: 8 }),
      (parts) => {
        const merged = parts.map(summaryOf).reduce(merge, EMPTY);
        const whole = summaryOf(parts.flat());
        expect([merged.count, merged.min, merged.max, merged.last]).toEqual([
          whole.count,
          whole.min,
          whole.max,
          whole.last,
        ]);
        expect(merged.mean ?? 0).toBeCloseTo(whole.mean ?? 0, 5);
        expect(varianceOf(merged) ?? 0).toBeCloseTo(varianceOf(whole) ?? 0, 4);
      },
    ),
  );
});

test("[statistics] the variance is that of the population", () => {
  expect(varianceOf(summaryOf([2, 4, 4, 4, 5, 5, 7, 9]))).toBe(4);
  expect(varianceOf(EMPTY)).toBeNull();
});

test("[statistics] north is between 350° and 10°, even from different parts", () => {
  const north = meanOf(merge(summaryOf([350]), summaryOf([10])), true) ?? Number.NaN;
  expect(Math.min(north, 360 - north)).toBeCloseTo(0, 6);
  expect(meanOf(summaryOf([90, 180]), true)).toBeCloseTo(135, 6);
  expect(meanOf(summaryOf([0, 180]), true)).toBeNull();
  expect(meanOf(summaryOf([350, 10]), false)).toBe(180);
});
