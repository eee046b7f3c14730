import type { CustomData, UTCTimestamp, WhitespaceData } from "lightweight-charts";
import type { Bucket } from "./bucket.ts";

/** One bucket as the band series draws it; in shown units. */
export interface BandPoint extends CustomData {
  readonly time: UTCTimestamp;
  readonly min: number;
  readonly max: number;
  readonly avg: number;
  /** Nothing was measured just before: the line begins anew here. */
  readonly begins: boolean;
}

/** Brands seconds of a wall clock as the chart's own time. */
export function chartTime(seconds: number): UTCTimestamp {
  return seconds as UTCTimestamp;
}

/**
 * Buckets as points of the chart. An empty bucket keeps its place on the axis and breaks the line.
 *
 * @param times wall-clock seconds of each bucket, strictly ascending
 * @param scale factor from wire to screen, after which `offset` is added
 * @param banded false for what has no meaningful minimum and maximum, such as a direction
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

/** True for a point at which something was measured. */
export function isBandPoint(data: object): data is BandPoint {
  return "avg" in data && typeof data.avg === "number";
}
