import type { Logical, PriceRange } from "lightweight-charts";
import type { Bucket } from "./bucket.ts";
import type { ChartWindow, ViewedRange } from "./chart-model.ts";

/** Minimum span of an axis, in steps of the last displayed decimal. */
const LEAST_STEPS = 20;

/**
 * Widen the data's range if it is so narrow that noise would look like a swing: to the field's least span, or
 * to some steps of its last decimal. Stays at or above zero if the data does.
 */
export function readableRange(
  { minValue, maxValue }: PriceRange,
  decimals: number,
  leastSpan = 0,
): PriceRange {
  const least = leastSpan || LEAST_STEPS * 10 ** -decimals;
  const missing = least - (maxValue - minValue);
  if (missing <= 0) return { minValue, maxValue };
  const low = minValue - missing / 2;
  const floor = minValue >= 0 ? Math.max(0, low) : low;
  return { minValue: floor, maxValue: floor + least };
}

/**
 * Return the part of a regular grid whose buckets have their middle in view.
 *
 * @param grid its first bucket's start and its step (seconds), and its number of buckets
 */
export function windowOf(
  range: ViewedRange,
  { start, step, length }: { readonly start: number; readonly step: number; readonly length: number },
): ChartWindow {
  const first = Math.min(length, Math.max(0, Math.ceil(range.from)));
  const end = Math.max(first, Math.min(length, Math.floor(range.to) + 1));
  return { from: start + first * step, to: start + end * step, reachesEnd: end === length && first < length };
}

/** Brand a whole place as the chart library's type. */
const place = (index: number): Logical => index as Logical;

/** Return the instant (seconds) of a place on the regular grid that begins with the first of `buckets`. */
export function instantAt(buckets: readonly Bucket[], logical: number, step: number): number | null {
  const [first] = buckets;
  return first ? first.t + Math.round(logical) * step : null;
}

/** Return the bucket that contains an instant (seconds). `buckets` are on a regular grid. */
export function bucketAt(buckets: readonly Bucket[], instant: number, step: number): Bucket | undefined {
  const [first] = buckets;
  return first ? buckets[Math.floor((instant - first.t) / step)] : undefined;
}

/**
 * Return the x position of an instant, CSS px, also between places. The library reports whole places only.
 */
export function xOf(
  scale: { logicalToCoordinate(logical: Logical): number | null },
  buckets: readonly Bucket[],
  instant: number,
  step: number,
): number | null {
  const [first] = buckets;
  if (!first) return null;
  // A bucket is centred on its place: it begins half a place before.
  const logical = (instant - first.t) / step - 0.5;
  const floor = Math.floor(logical);
  const left = scale.logicalToCoordinate(place(floor));
  const right = scale.logicalToCoordinate(place(floor + 1));
  return left === null || right === null ? null : left + (right - left) * (logical - floor);
}
