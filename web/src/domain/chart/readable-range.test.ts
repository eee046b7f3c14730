import { expect, it } from "vitest";
import { readableRange } from "./chart-place.ts";

it("[log] spans at least twenty steps of the last decimal, with the data in the middle", () => {
  const { minValue, maxValue } = readableRange({ minValue: 25.5, maxValue: 25.6 }, 1);
  expect(minValue).toBeCloseTo(24.55);
  expect(maxValue).toBeCloseTo(26.55);
});

it("[log] leaves a wide range as it is", () => {
  expect(readableRange({ minValue: 3, maxValue: 31.5 }, 1)).toEqual({ minValue: 3, maxValue: 31.5 });
});

it("[log] stays at or above zero for data that does", () => {
  expect(readableRange({ minValue: 0, maxValue: 0 }, 0)).toEqual({ minValue: 0, maxValue: 20 });
  expect(readableRange({ minValue: -0.2, maxValue: 0 }, 1).minValue).toBeCloseTo(-1.1);
});
