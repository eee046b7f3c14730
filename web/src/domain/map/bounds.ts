import type { Place } from "./place.ts";

/** West, south, east, north, degrees. */
export type Bounds = [west: number, south: number, east: number, north: number];

/** Return the smallest bounds around places; null without one. */
export function boundsOf(places: readonly Place[]): Bounds | null {
  const [first] = places;
  if (!first) return null;
  const bounds: Bounds = [first.longitude, first.latitude, first.longitude, first.latitude];
  for (const { latitude, longitude } of places) {
    bounds[0] = Math.min(bounds[0], longitude);
    bounds[1] = Math.min(bounds[1], latitude);
    bounds[2] = Math.max(bounds[2], longitude);
    bounds[3] = Math.max(bounds[3], latitude);
  }
  return bounds;
}
