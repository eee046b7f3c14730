import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bucketGrid } from "./slices.ts";

const at = (text: string): number => Date.parse(text);
const HOUR = 3_600_000;

describe("bucketGrid", () => {
  it("[history] takes the finest fitting step, aligned to a multiple of that step", () => {
    expect(bucketGrid(at("2026-11-21T00:00:07Z"), at("2026-11-21T01:00:00Z"), 300)).toEqual({
      start: at("2026-11-21T00:00:00Z"),
      step: 15_000,
      count: 240,
    });
  });

  it("[history] returns exactly the whole buckets that the caller requested", () => {
    const from = at("2026-11-21T00:00:00Z");
    expect(bucketGrid(from, from + 24 * HOUR, 48)).toEqual({ start: from, step: HOUR / 2, count: 48 });
    expect(bucketGrid(from, from + 100_000, 50)).toEqual({ start: from, step: 2_000, count: 50 });
  });

  it("[history] two ranges with the same step share their buckets", () => {
    const early = bucketGrid(at("2026-11-21T00:03:00Z"), at("2026-11-22T00:03:00Z"), 300);
    const late = bucketGrid(at("2026-11-21T00:37:00Z"), at("2026-11-22T00:37:00Z"), 300);
    expect(late.step).toBe(early.step);
    expect((late.start - early.start) % early.step).toBe(0);
  });

  it("[history] covers the range with at most the requested number of buckets", () => {
    const instant = fc.integer({ min: 0, max: at("2030-01-01T00:00:00Z") });
    fc.assert(
      fc.property(
        instant,
        fc.integer({ min: 1, max: 1_100 * 24 * HOUR }),
        fc.integer({ min: 1, max: 2_000 }),
        (from, length, buckets) => {
          const { start, step, count } = bucketGrid(from, from + length, buckets);
          expect(count).toBeLessThanOrEqual(buckets);
          expect(start).toBeLessThanOrEqual(from);
          expect(start + step * count).toBeGreaterThanOrEqual(from + length);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("[history] takes whole days when no predefined step fits", () => {
    const from = at("2021-11-01T00:00:00Z");
    const { step, count } = bucketGrid(from, from + 1_100 * 24 * HOUR, 50);
    expect(step % (24 * HOUR)).toBe(0);
    expect(step).toBeGreaterThan(7 * 24 * HOUR);
    expect(count).toBeGreaterThan(45);
  });
});
