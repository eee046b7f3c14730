import type { CustomData, UTCTimestamp, WhitespaceData } from "lightweight-charts";
import type { Bucket } from "./bucket.ts";

/** One bucket in displayed units, as the band series draws it. */
export interface BandPoint extends CustomData {
  readonly time: UTCTimestamp;
  readonly min: number;
  readonly max: number;
  readonly avg: number;
  /** True after a gap: the line starts here. */
  readonly begins: boolean;
}

/** Brand wall-clock seconds as the chart library's time type. */
export function chartTime(seconds: number): UTCTimestamp {
  return seconds as UTCTimestamp;
}

/**
 * Convert buckets to chart points. An empty bucket keeps its place on the axis and breaks the line.
 *
 * @param times wall-clock seconds of each bucket, strictly ascending
 * @param scale factor from stored to displayed unit, applied before `offset`
 * @param banded false for fields without a meaningful minimum and maximum, such as a direction
 */
export function bandPoints(
  buckets: readonly Bucket[],
  times: readonly number[],
  { scale = 1, offset = 0, banded = true }: { scale?: number; offset?: number; banded?: boolean } = {},
): (BandPoint | WhitespaceData)[] {
  let begins = true;
  return buckets.map(({ count, min, max, avg }, index) => {
    const time = chartTime(times[index] ?? 0);
    if (count === 0 || avg === null || !Number.isFinite(avg)) {
      begins = true;
      return { time };
    }
    const point: BandPoint = {
      time,
      avg: avg * scale + offset,
      min: (banded ? (min ?? avg) : avg) * scale + offset,
      max: (banded ? (max ?? avg) : avg) * scale + offset,
      begins,
    };
    begins = false;
    return point;
  });
}

/** Return true for a point that has a measurement. */
export function isBandPoint(data: object): data is BandPoint {
  return "avg" in data && typeof data.avg === "number";
}
