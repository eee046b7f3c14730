import type { FarmValue, SensorValue } from "@mulkko/shared/live/devices";
import type { MapOutline } from "./marker.tsx";
import { type Place, placeOf } from "./place.ts";

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

/** Side of the whole earth at zoom 0, CSS px. */
const TILE = 512;

/** Project a place (web Mercator): CSS px from the earth's north-west corner at a zoom. */
export function worldPoint({ latitude, longitude }: Place, zoom: number) {
  const size = TILE * 2 ** zoom;
  const radians = (latitude * Math.PI) / 180;
  return {
    x: ((longitude + 180) / 360) * size,
    y: ((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * size,
  };
}

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

/** Return true for a place within bounds. */
export const isInside = ({ latitude, longitude }: Place, [west, south, east, north]: Bounds): boolean =>
  latitude >= south && latitude <= north && longitude >= west && longitude <= east;

/** Return the corners of a farm's ground. */
export const placesOf = (ring: MapOutline["ring"]): Place[] =>
  ring.map(([longitude, latitude]) => ({ latitude, longitude }));

/** Return the outline of each farm that has placed devices. */
export function farmOutlines(
  farms: ReadonlyMap<string, FarmValue>,
  sensors: ReadonlyMap<string, SensorValue>,
): MapOutline[] {
  return [...farms].flatMap(([id, { info }]) => {
    const places = info.sensorIds.flatMap((sensor) => {
      const value = sensors.get(`${sensor}`);
      const place = value ? placeOf(value.info) : null;
      return place ? [place] : [];
    });
    const ring = groundOf(places);
    return ring.length === 0 ? [] : [{ id, name: info.name, ring }];
  });
}
