import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "./levels.ts";
import { type BucketRange, type BucketRanges, type Grid, type Known, rangesOf } from "./ranges.ts";

const BASE = Date.UTC(2026, 0, 1);
const FAR = Date.UTC(2100, 0, 1);
const EVERYTHING: Known = { from: 0, to: FAR, rawFrom: 0, closedUntil: FAR };

const grids: fc.Arbitrary<Grid> = fc
  .record({
    from: fc.integer({ min: 0, max: 30 * 86_400 }),
    seconds: fc.integer({ min: 1, max: 60 * 86_400 }),
    count: fc.integer({ min: 1, max: 200 }),
  })
  .map(({ from, seconds, count }) => ({
    from: BASE + from * 1_000,
    to: BASE + (from + seconds) * 1_000,
    step: Math.max(1, Math.ceil(seconds / count)) * 1_000,
  }));

const inOrder = (ranges: BucketRanges): BucketRange[] =>
  [...ranges.raw, ...ranges.hour, ...ranges.day].sort((a, b) => a.from - b.from);

describe("[history] ranges", () => {
  test("[history] the parts of a range cover it once, and each lies in its bucket", () => {
    fc.assert(
      fc.property(grids, fc.integer({ min: 0, max: 90 * 24 }), (grid, hours) => {
        const closedUntil = BASE + hours * HOUR_MS;
        let at = grid.from;
        for (const { bucket, from, to } of inOrder(rangesOf(grid, { ...EVERYTHING, closedUntil }))) {
          expect(from).toBe(at);
          expect(from).toBeGreaterThanOrEqual(grid.from + bucket * grid.step);
          expect(to).toBeLessThanOrEqual(grid.from + (bucket + 1) * grid.step);
          at = to;
        }
        expect(at).toBe(grid.to);
      }),
    );
  });

  test("[history] uses whole hours and days, and reads rows at the ends of buckets only", () => {
    fc.assert(
      fc.property(grids, (grid) => {
        const { raw, hour, day } = rangesOf(grid, EVERYTHING);
        for (const { from, to } of hour) expect([from % HOUR_MS, to % HOUR_MS]).toEqual([0, 0]);
        for (const { from, to } of day) expect([from % DAY_MS, to % DAY_MS]).toEqual([0, 0]);
        for (const { from, to } of raw) expect(to - from).toBeLessThan(2 * HOUR_MS);
        for (const { from, to } of hour) expect(to - from).toBeLessThan(2 * DAY_MS);
      }),
    );
  });

  test("[history] without rows an hour belongs entirely to the bucket of its start", () => {
    fc.assert(
      fc.property(grids, fc.integer({ min: 0, max: 90 }), (grid, days) => {
        const rawFrom = BASE + days * DAY_MS;
        const ranges = rangesOf(grid, { ...EVERYTHING, rawFrom });
        for (const { from } of ranges.raw) expect(from).toBeGreaterThanOrEqual(rawFrom);
        const all = inOrder(ranges);
        for (const { bucket, from } of all) {
          expect(bucket).toBe(Math.floor((from - grid.from) / grid.step));
        }
        for (const [index, { from }] of all.entries()) {
          if (index > 0) expect(from).toBe(all[index - 1]?.to);
        }
      }),
    );
  });

  test("[history] reads open hours as rows, one day at a time", () => {
    const grid = { from: BASE + 1_000, to: BASE + 5 * DAY_MS, step: 50 * HOUR_MS };
    const closedUntil = BASE + 30 * HOUR_MS;
    const { raw, hour, day } = rangesOf(grid, { ...EVERYTHING, closedUntil });
    for (const { to } of [...hour, ...day]) expect(to).toBeLessThanOrEqual(closedUntil);
    expect(raw.at(-1)?.to).toBe(grid.to);
    for (const { from, to } of raw) expect(to - from).toBeLessThanOrEqual(DAY_MS);
    expect(rangesOf(grid, { ...EVERYTHING, closedUntil: 0 })).toMatchObject({ hour: [], day: [] });
  });

  test("[history] reads nothing outside of the available data", () => {
    const grid = { from: BASE, to: BASE + 300 * DAY_MS, step: 7 * HOUR_MS };
    const within = { from: BASE + 100 * DAY_MS, to: BASE + 101 * DAY_MS };
    const all = inOrder(rangesOf(grid, { ...EVERYTHING, ...within }));
    expect(all.at(0)?.from).toBe(within.from);
    expect(all.at(-1)?.to).toBe(within.to);
  });
});
