import { DEVICE_TYPES, fieldOf } from "@mulkko/shared/catalogue/registry";
import fc from "fast-check";
import { expect, it } from "vitest";
import { leastSpanOf } from "./chart-model.ts";
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

it.each([
  ["pressure", 10],
  ["press", 10],
  ["temperature", 5],
  ["soilTemperature", 5],
  ["moisture", 5],
])("[AXIS-1] small changes of %s do not fill the height: the axis spans at least %i", (name, span) => {
  const field = fieldOf(DEVICE_TYPES[0] ?? expect.fail("no types"), name);
  const { minValue, maxValue } = readableRange(
    { minValue: 1_012, maxValue: 1_013 },
    field.decimals,
    leastSpanOf(field),
  );
  expect(maxValue - minValue).toBeCloseTo(span);
  expect((minValue + maxValue) / 2).toBeCloseTo(1_012.5);
});

it("[AXIS-1] the axis of each field holds its data, and is never narrower than the field's least span", () => {
  const fields = DEVICE_TYPES.flatMap(({ fields }) => fields);
  const value = fc.double({ min: -1_000, max: 100_000, noNaN: true });
  fc.assert(
    fc.property(fc.constantFrom(...fields), value, value, (field, a, b) => {
      const data = { minValue: Math.min(a, b), maxValue: Math.max(a, b) };
      const shown = readableRange(data, field.decimals, leastSpanOf(field));
      const rounding = 1e-6 * Math.max(1, Math.abs(data.maxValue));
      expect(shown.minValue).toBeLessThanOrEqual(data.minValue + rounding);
      expect(shown.maxValue).toBeGreaterThanOrEqual(data.maxValue - rounding);
      expect(shown.maxValue - shown.minValue).toBeGreaterThanOrEqual(leastSpanOf(field) - rounding);
      if (data.minValue >= 0) expect(shown.minValue).toBeGreaterThanOrEqual(0);
    }),
  );
});
