import { describe, expect, it } from "vitest";
import { emptyBucket } from "./bucket.ts";
import { bucketAt, instantAt, xOf } from "./chart-place.ts";

const BUCKETS = [emptyBucket(600), emptyBucket(660), emptyBucket(720)];
/** Ten pixels a place, the first one at 5; like the library, it knows whole places alone. */
const SCALE = {
  logicalToCoordinate: (logical: number) => (Number.isInteger(logical) ? 5 + logical * 10 : 0),
};

describe("[chart] places", () => {
  it("[chart] an instant within a bucket stands within its width, at either end of the chart too", () => {
    expect(xOf(SCALE, BUCKETS, 600, 60)).toBe(0);
    expect(xOf(SCALE, BUCKETS, 630, 60)).toBe(5);
    expect(xOf(SCALE, BUCKETS, 780, 60)).toBe(30);
    expect(xOf(SCALE, BUCKETS, 540, 60)).toBe(-10);
  });
  it("[chart] a chart without data has no places", () => {
    expect(xOf(SCALE, [], 600, 60)).toBeNull();
    expect(instantAt([], 0, 60)).toBeNull();
  });
  it("[chart] an instant lies in the bucket that covers it, or in none", () => {
    expect(bucketAt(BUCKETS, 719, 60)?.t).toBe(660);
    expect(bucketAt(BUCKETS, 720, 60)?.t).toBe(720);
    expect(bucketAt(BUCKETS, 599, 60)).toBeUndefined();
    expect(bucketAt([], 600, 60)).toBeUndefined();
  });
  it("[chart] a place is the instant of its bucket, after the last one too", () => {
    expect(instantAt(BUCKETS, 2, 60)).toBe(720);
    expect(instantAt(BUCKETS, 4, 60)).toBe(840);
  });
});
