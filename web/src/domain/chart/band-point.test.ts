import { describe, expect, it } from "vitest";
import { bandPoints, isBandPoint } from "./band-series.ts";
import { type Bucket, emptyBucket } from "./bucket.ts";

const bucket = (t: number, min: number, avg: number, max: number): Bucket => ({
  t,
  count: 9,
  min,
  avg,
  max,
  last: avg,
});

describe("[chart] band points", () => {
  it("[chart] keeps the place of an empty bucket and starts a new line after it", () => {
    const points = bandPoints(
      [bucket(0, 1, 2, 3), emptyBucket(60), bucket(120, 2, 3, 4), bucket(180, 2, 3, 4)],
      [0, 60, 120, 180],
    );
    expect(points).toEqual([
      { time: 0, min: 1, avg: 2, max: 3, begins: true },
      { time: 60 },
      { time: 120, min: 2, avg: 3, max: 4, begins: true },
      { time: 180, min: 2, avg: 3, max: 4, begins: false },
    ]);
    expect(points.map(isBandPoint)).toEqual([true, false, true, true]);
  });

  it("[chart] converts stored units to displayed units, band included", () => {
    const [point] = bandPoints([bucket(0, 800, 900, 1_000)], [0], { scale: 0.001 });
    expect(point).toMatchObject({ min: 0.8, avg: 0.9, max: 1 });
  });

  it("[chart] converts a valve's 1 (open) and 2 (closed) to the share of time open", () => {
    const options = { scale: -1, offset: 2, banded: false };
    const avgs = [1, 2, 1.25].map((avg) => bandPoints([bucket(0, 1, avg, 2)], [0], options)[0]);
    expect(avgs).toMatchObject([{ avg: 1 }, { avg: 0 }, { avg: 0.75 }]);
  });

  it("[chart] draws no band for a direction", () => {
    const [point] = bandPoints([bucket(0, 0, 350, 359)], [0], { banded: false });
    expect(point).toMatchObject({ min: 350, avg: 350, max: 350 });
  });

  it("[chart] treats NaN as a gap", () => {
    expect(bandPoints([bucket(0, 1, Number.NaN, 2)], [0])).toEqual([{ time: 0 }]);
  });
});
