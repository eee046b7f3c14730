import { describe, expect, it } from "vitest";
import { addToBucket, type Bucket, bucketsOf, emptyBucket, mergeBuckets } from "./bucket.ts";

const bucket = (t: number, avg: number): Bucket => ({ t, count: 1, min: avg, max: avg, avg, last: avg });

describe("[chart] buckets", () => {
  it("[chart] converts a history answer to buckets on its grid, empty ones included", () => {
    const history = {
      sensorId: "s",
      start: "2026-11-21T00:00:00Z",
      step: 60_000,
      count: [2, 0, 1],
      fields: {
        ec: {
          min: [1, null, 3],
          max: [2, null, 3],
          avg: [1.5, null, 3],
          last: [2, null, 3],
          statistics: { max: 3, min: 1, avg: 2, variance: 1 },
        },
      },
    };
    const t = Date.parse(history.start) / 1000;
    expect(bucketsOf(history, "ec")).toEqual([
      { t, count: 2, min: 1, max: 2, avg: 1.5, last: 2 },
      emptyBucket(t + 60),
      bucket(t + 120, 3),
    ]);
    expect(bucketsOf(history, "ph")).toEqual([]);
  });

  it("[chart] replaces the bucket of the same time, appends otherwise", () => {
    expect(mergeBuckets([bucket(0, 1), bucket(60, 2)], [bucket(60, 5), bucket(120, 6)], 60)).toEqual([
      bucket(0, 1),
      bucket(60, 5),
      bucket(120, 6),
    ]);
  });

  it("[chart] keeps silence before a newer bucket as a gap on the grid", () => {
    expect(mergeBuckets([bucket(0, 1)], [bucket(180, 2)], 60)).toEqual([
      bucket(0, 1),
      emptyBucket(60),
      emptyBucket(120),
      bucket(180, 2),
    ]);
  });

  it("[chart] inserts a late bucket at its place and leaves the end unchanged", () => {
    expect(mergeBuckets([bucket(0, 1), emptyBucket(60), bucket(120, 3)], [bucket(60, 2)], 60)).toEqual([
      bucket(0, 1),
      bucket(60, 2),
      bucket(120, 3),
    ]);
  });

  it("[chart] widens a bucket by a reading and updates its mean", () => {
    const two = addToBucket(addToBucket(emptyBucket(0), 4), 2);
    expect(two).toEqual({ t: 0, count: 2, min: 2, max: 4, avg: 3, last: 2 });
  });
});
