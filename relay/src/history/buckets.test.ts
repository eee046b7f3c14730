import { seededRandom } from "@mulkko/shared/testing/random";
import { describe, expect, it } from "vitest";
import { gatherBuckets } from "./buckets.ts";

const grid = { start: 1_000_000, step: 1_000, count: 4 };

describe("gatherBuckets", () => {
  it("[history] puts rows into their buckets; an empty bucket has count 0 and nulls", () => {
    const gatherer = gatherBuckets(grid);
    gatherer.add(1_000_000, { moisture: 30 });
    gatherer.add(1_000_999, { moisture: 34 });
    gatherer.add(1_003_000, { moisture: 10 });
    expect(gatherer.count).toEqual([2, 0, 0, 1]);
    expect(gatherer.fields().moisture).toEqual({
      min: [30, null, null, 10],
      max: [34, null, null, 10],
      avg: [32, null, null, 10],
      last: [34, null, null, 10],
      statistics: { min: 10, max: 34, avg: 21, variance: 123 },
    });
  });

  it("[history] skips rows outside the grid, missing values and fields not requested", () => {
    const gatherer = gatherBuckets(grid, new Set(["moisture"]));
    gatherer.add(999_999, { moisture: 1 });
    gatherer.add(1_004_000, { moisture: 1 });
    gatherer.add(1_001_000, { moisture: null, battery: 90 });
    expect([gatherer.count, gatherer.fields()]).toEqual([[0, 1, 0, 0], {}]);
  });

  it("[history] takes the newest row as the last value of a bucket, in any order of rows", () => {
    const gatherer = gatherBuckets(grid);
    gatherer.add(1_000_900, { moisture: 2 });
    gatherer.add(1_000_100, { moisture: 1 });
    expect(gatherer.fields().moisture?.last[0]).toBe(2);
  });

  it("[history] averages a wind direction on the circle, without a band", () => {
    const gatherer = gatherBuckets(grid);
    gatherer.add(1_000_100, { windD: 350 });
    gatherer.add(1_000_200, { windD: 20 });
    const field = gatherer.fields().windD;
    expect(field?.avg[0]).toBeCloseTo(5, 9);
    expect([field?.min[0], field?.max[0], field?.last[0]]).toEqual([null, null, 20]);
    expect(field?.statistics).toEqual({ min: null, max: null, avg: expect.closeTo(5, 9), variance: null });
  });

  it("[history] opposite directions have no mean", () => {
    const gatherer = gatherBuckets(grid);
    gatherer.add(1_000_100, { windD: 90 });
    gatherer.add(1_000_200, { windD: 270 });
    expect(gatherer.fields().windD?.avg[0]).toBeNull();
  });

  it("[history] weights the mean by time when a sensor reports more often than before", () => {
    const rows = (length: number, at: (index: number) => number, moisture: number) =>
      Array.from({ length }, (_, index) => ({ at: at(index), moisture }));
    const day = 86_400_000;
    const gatherer = gatherBuckets({ start: 0, step: 36_000, count: 2_400 });
    for (const { at, moisture } of [
      ...rows(216, (index) => index * 300_000, 24),
      ...rows(2_160, (index) => 0.75 * day + index * 10_000, 28),
    ])
      gatherer.add(at, { moisture, windD: moisture === 24 ? 350 : 30 });
    const { moisture, windD } = gatherer.fields();
    expect(moisture?.statistics).toMatchObject({ min: 24, max: 28, avg: expect.closeTo(25, 1) });
    expect(moisture?.statistics.variance).toBeCloseTo(3, 1);
    expect(windD?.statistics.avg).toBeCloseTo(359.7, 0);
  });

  it("[history] computes the variance of the rows when all buckets have the same count, also far from zero", () => {
    const random = seededRandom(7);
    const values = Array.from({ length: 4_000 }, () => 1e9 + random() * 10);
    const gatherer = gatherBuckets(grid);
    values.forEach((value, index) => {
      gatherer.add(1_000_000 + index, { flowmeter: value });
    });
    const offsets = values.map((value) => value - 1e9);
    const mean = offsets.reduce((sum, value) => sum + value, 0) / offsets.length;
    const variance = offsets.reduce((sum, value) => sum + (value - mean) ** 2, 0) / offsets.length;
    expect(gatherer.fields().flowmeter?.statistics.variance).toBeCloseTo(variance, 4);
  });
});
