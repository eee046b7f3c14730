import fc from "fast-check";
import { expect, test } from "vitest";
import { columnOfNumbers, mostBytesOf, readColumn } from "./number-column.ts";

const viewOf = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

function readBack(bytes: Buffer, count: number): { values: number[]; end: number } {
  const into = new Float64Array(count);
  const end = readColumn(viewOf(bytes), 0, into, count);
  return { values: [...into], end };
}

const decimals = fc
  .record({
    digits: fc.integer({ min: 0, max: 8 }),
    whole: fc.array(fc.integer({ min: -3_000_000, max: 3_000_000 }), { minLength: 1, maxLength: 24 }),
  })
  .map(({ digits, whole }) => whole.map((value) => value / 10 ** digits));
const doubles = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), {
  minLength: 1,
  maxLength: 24,
});
const far = fc.array(fc.integer({ min: -(2 ** 33), max: 2 ** 33 }), { minLength: 1, maxLength: 24 });

test("[history] a column returns exactly its numbers, and its end", () => {
  fc.assert(
    fc.property(fc.oneof(decimals, doubles, far), (values) => {
      const bytes = columnOfNumbers(values);
      expect(bytes.length).toBeLessThanOrEqual(mostBytesOf(values.length));
      // Zero has one sign here: no answer distinguishes them.
      const expected = values.map((value) => value + 0);
      const { values: found, end } = readBack(bytes, values.length);
      expect(found.map((value) => value + 0)).toEqual(expected);
      expect(end).toBe(bytes.length);
    }),
    { numRuns: 500 },
  );
});

test("[history] uses two bytes for each measured number and none for a constant", () => {
  const day = Array.from({ length: 24 }, (_, hour) => 20 + hour / 4);
  expect(columnOfNumbers(day).length).toBe(5 + 24 * 2);
  expect(columnOfNumbers(day.map(() => 6.5)).length).toBe(5);
});

test("[history] refuses invalid or truncated bytes", () => {
  expect(() => readBack(Buffer.from([7 << 2, 0, 0, 0, 0]), 1)).toThrow(RangeError);
  expect(() => readBack(columnOfNumbers([1, 2, 3]).subarray(0, 6), 3)).toThrow(RangeError);
});
