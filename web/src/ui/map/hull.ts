import type { Place } from "./place.ts";

type Point = readonly [longitude: number, latitude: number];

/** Ground around each thing, metres, so that a farm of one sensor has an outline too. */
const AROUND_M = 30;
/** Corners of the circle around each thing. */
const CORNERS = 12;
const METRES_PER_DEGREE = 111_320;

/** Twice the area of a, b, c; positive where they turn left. */
const turn = (a: Point, b: Point, c: Point): number =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

/** The convex hull of points, closed, counter-clockwise (Andrew's monotone chain); empty for fewer than three. */
export function convexHull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const chain = (from: readonly Point[]): Point[] => {
    const kept: Point[] = [];
    for (const point of from) {
      while (kept.length > 1) {
        const [a, b] = kept.slice(-2);
        if (!a || !b || turn(a, b, point) > 0) break;
        kept.pop();
      }
      kept.push(point);
    }
    return kept;
  };
  const lower = chain(sorted);
  const upper = chain(sorted.reverse());
  const ring = [...lower.slice(0, -1), ...upper.slice(0, -1)];
  const [first] = ring;
  return first === undefined || ring.length < 3 ? [] : [...ring, first];
}

/** The ground of a farm: the hull of circles of 30 m around its things; empty without a thing. */
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
