/** A point on the earth, degrees. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Where a form's map stands while nothing is typed (spec 9). */
export const DEFAULT_PLACE: Place = { latitude: 37.3614483, longitude: 127.1114883 };

/** Where the overview stands while nothing is placed: the middle of Seoul (spec 9). */
export const SEOUL: Place = { latitude: 37.5642135, longitude: 127.0016985 };

/** Zooms of the specification: overview, the map of a form, a single thing that is looked at. */
export const ZOOM = { overview: 6, form: 11, focus: 15 } as const;

/** Decimals of a chosen coordinate: 6 are 11 cm. */
const DECIMALS = 6;

const isCoordinate = (value: number | null | undefined, limit: number): value is number =>
  typeof value === "number" && Number.isFinite(value) && value !== 0 && Math.abs(value) <= limit;

/** Where a thing stands; null where it is not placed: a coordinate is missing, 0, or none on the earth. */
export function placeOf(coordinates: {
  readonly latitude?: number | null | undefined;
  readonly longitude?: number | null | undefined;
}): Place | null {
  const { latitude, longitude } = coordinates;
  return isCoordinate(latitude, 90) && isCoordinate(longitude, 180) ? { latitude, longitude } : null;
}

/** A chosen point as it is written into a form; a map that was turned around the earth gives longitudes beyond 180. */
export function roundedPlace(latitude: number, longitude: number): Place {
  const rounded = (degrees: number) => Number(degrees.toFixed(DECIMALS));
  return { latitude: rounded(latitude), longitude: rounded(((((longitude + 180) % 360) + 360) % 360) - 180) };
}
