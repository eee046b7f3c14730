import type { Logical } from "lightweight-charts";
import type { Bucket } from "./bucket.ts";

/** What of the library's time scale is needed to find places on it. */
export interface PlaceScale {
  logicalToCoordinate(logical: Logical): number | null;
}

/** Brands a whole place as the chart's own. */
const place = (index: number): Logical => index as Logical;

/** The bucket at a place of the regular grid that begins with the first of `buckets`; seconds. */
export function instantAt(buckets: readonly Bucket[], logical: number, step: number): number | null {
  const [first] = buckets;
  return first ? first.t + Math.round(logical) * step : null;
}

/** The bucket in which an instant lies. `buckets` are on a regular grid; seconds. */
export function bucketAt(buckets: readonly Bucket[], instant: number, step: number): Bucket | undefined {
  const [first] = buckets;
  return first ? buckets[Math.floor((instant - first.t) / step)] : undefined;
}

/** Where an instant stands, CSS px, between places too, which the library itself does not tell. */
export function xOf(
  scale: PlaceScale,
  buckets: readonly Bucket[],
  instant: number,
  step: number,
): number | null {
  const [first] = buckets;
  if (!first) return null;
  // A bucket is drawn around its place: its beginning is half a place before.
  const logical = (instant - first.t) / step - 0.5;
  const floor = Math.floor(logical);
  const left = scale.logicalToCoordinate(place(floor));
  const right = scale.logicalToCoordinate(place(floor + 1));
  return left === null || right === null ? null : left + (right - left) * (logical - floor);
}
