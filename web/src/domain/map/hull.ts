import type { Place } from "./place.ts";

type Point = readonly [longitude: number, latitude: number];

/** Radius of ground around each device, metres: a farm of one sensor has an outline too. */
const AROUND_M = 30;
/** Number of corners of the circle around each device. */
const CORNERS = 12;
const METRES_PER_DEGREE = 111_320;

/** Return twice the area of a, b, c; positive for a left turn. */
const turn = (a: Point, b: Point, c: Point): number =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

/**
 * Return the convex hull of points, closed and counter-clockwise (Andrew's monotone chain); empty for fewer
 * than three.
 */
export function convexHull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const chain = (from: readonly Point[]): Point[] => {
    const hull: Point[] = [];
    for (const point of from) {
      while (hull.length > 1) {
        const [a, b] = hull.slice(-2);
        if (!a || !b || turn(a, b, point) > 0) break;
        hull.pop();
      }
      hull.push(point);
    }
    return hull;
  };
  const lower = chain(sorted);
  const upper = chain(sorted.reverse());
  const ring = [...lower.slice(0, -1), ...upper.slice(0, -1)];
  const [first] = ring;
  return first === undefined || ring.length < 3 ? [] : [...ring, first];
}

/** Return a farm's ground: the hull of 30 m circles around its devices; empty without a device. */
export function groundOf(places: readonly Place[]): Point[] {
  const corners = places.flatMap(({ latitude, longitude }) => {
    const north = AROUND_M / METRES_PER_DEGREE;
    const east = north / Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
    return Array.from({ length: CORNERS }, (_, corner): Point => {
      const angle = (corner / CORNERS) * 2 * Math.PI;
      return [longitude + east * Math.cos(angle), latitude + north * Math.sin(angle)];
    });
  });
  return convexHull(corners);
}
