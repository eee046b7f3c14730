import { describe, expect, it } from "vitest";
import { emptyBucket } from "./bucket.ts";
import { bucketAt, instantAt, xOf } from "./chart-place.ts";

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
});
