import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyBucket } from "./bucket.ts";
import { bucketAt, instantAt, windowOf, xOf } from "./chart-place.ts";

const BUCKETS = [emptyBucket(600), emptyBucket(660), emptyBucket(720)];
/** Scale with ten pixels per place, the first at 5. Like the library, it accepts whole places only. */
const SCALE = {
  logicalToCoordinate: (logical: number) => (Number.isInteger(logical) ? 5 + logical * 10 : 0),
};

describe("[chart] places", () => {
  it("[chart] places an instant within its bucket's width, also at both ends of the chart", () => {
    expect(xOf(SCALE, BUCKETS, 600, 60)).toBe(0);
    expect(xOf(SCALE, BUCKETS, 630, 60)).toBe(5);
    expect(xOf(SCALE, BUCKETS, 780, 60)).toBe(30);
    expect(xOf(SCALE, BUCKETS, 540, 60)).toBe(-10);
  });
  it("[chart] returns no places for a chart without data", () => {
    expect(xOf(SCALE, [], 600, 60)).toBeNull();
    expect(instantAt([], 0, 60)).toBeNull();
  });
  it("[chart] finds the bucket that covers an instant, or none", () => {
    expect(bucketAt(BUCKETS, 719, 60)?.t).toBe(660);
    expect(bucketAt(BUCKETS, 720, 60)?.t).toBe(720);
    expect(bucketAt(BUCKETS, 599, 60)).toBeUndefined();
    expect(bucketAt([], 600, 60)).toBeUndefined();
  });
  it("[chart] converts a place to its bucket's instant, also after the last bucket", () => {
    expect(instantAt(BUCKETS, 2, 60)).toBe(720);
    expect(instantAt(BUCKETS, 4, 60)).toBe(840);
  });

  it("[WIN-1] a window has the buckets in view, at any zoom, also beyond the ends and within one bucket", () => {
    const place = fc.double({ min: -50, max: 150, noNaN: true });
    const grid = fc.record({
      start: fc.integer({ min: 0, max: 2_000_000_000 }),
      step: fc.constantFrom(10, 60, 3_600, 86_400),
      length: fc.integer({ min: 1, max: 100 }),
    });
    fc.assert(
      fc.property(place, place, grid, (a, b, { start, step, length }) => {
        const range = { from: Math.min(a, b), to: Math.max(a, b) };
        const shown = windowOf(range, { start, step, length });
        const inView = Array.from({ length }, (_, index) => index).filter(
          (index) => index >= range.from && index <= range.to,
        );
        const [first] = inView;
        expect((shown.to - shown.from) / step).toBe(inView.length);
        if (first !== undefined) expect(shown.from).toBe(start + first * step);
        expect(shown.reachesEnd).toBe(inView.includes(length - 1));
        expect(shown.from).toBeGreaterThanOrEqual(start);
        expect(shown.to).toBeLessThanOrEqual(start + length * step);
      }),
    );
  });
});
