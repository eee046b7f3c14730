/** A point on the earth, degrees. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Default place of a form's map (spec 9). */
export const DEFAULT_PLACE: Place = { latitude: 37.3614483, longitude: 127.1114883 };

/** Default place of the overview: the middle of Seoul (spec 9). */
export const SEOUL: Place = { latitude: 37.5642135, longitude: 127.0016985 };

/** Zooms of the specification: overview, form map, selected device. */
export const ZOOM = { overview: 6, form: 11, focus: 15 } as const;

/** Decimals of a chosen coordinate: 6 are 11 cm. */
const DECIMALS = 6;

const isCoordinate = (value: number | null | undefined, limit: number): value is number =>
  typeof value === "number" && Number.isFinite(value) && value !== 0 && Math.abs(value) <= limit;

/** Return a device's place; null if a coordinate is missing, 0 or out of range. */
export function placeOf(coordinates: {
  readonly latitude?: number | null | undefined;
  readonly longitude?: number | null | undefined;
}): Place | null {
  const { latitude, longitude } = coordinates;
  return isCoordinate(latitude, 90) && isCoordinate(longitude, 180) ? { latitude, longitude } : null;
}

/** Round a chosen point for a form, and wrap longitudes beyond 180 from a map turned around the earth. */
export function roundedPlace(latitude: number, longitude: number): Place {
  const rounded = (degrees: number) => Number(degrees.toFixed(DECIMALS));
  return { latitude: rounded(latitude), longitude: rounded(((((longitude + 180) % 360) + 360) % 360) - 180) };
}
