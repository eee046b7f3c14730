import { type Bounds, boundsOf, isInside, placesOf } from "./geometry.ts";
import type { PlacedGround } from "./marker.tsx";
import { DEFAULT_PLACE, type Place, ZOOM } from "./place.ts";

/**
 * Distance from a place beyond which a farm's ground is not shown with it, degrees of latitude or longitude.
 */
const NEAR_DEGREES = 0.05;

/** Initial view of a form's map: some ground as a whole, or a point. */
type Aim =
  | { readonly kind: "bounds"; readonly bounds: Bounds }
  | { readonly kind: "point"; readonly at: Place; readonly zoom: number };

const isNear = (place: Place, [west, south, east, north]: Bounds): boolean =>
  isInside(place, [west - NEAR_DEGREES, south - NEAR_DEGREES, east + NEAR_DEGREES, north + NEAR_DEGREES]);

/**
 * Choose the initial view of a form's map. In order: the place with its farm's ground, the chosen farm's
 * ground, any farm's ground, the placed devices, the specification's default.
 *
 * @param farmId the farm chosen in the form; null without one
 */
export function aimOf(place: Place | null, { markers, outlines }: PlacedGround, farmId: string | null): Aim {
  const grounds = outlines.flatMap(({ id, ring }) => {
    const bounds = boundsOf(placesOf(ring));
    return bounds ? [{ id, ring, bounds }] : [];
  });
  if (place) {
    const near = grounds.filter(({ bounds }) => isNear(place, bounds));
    const ground = near.find(({ id }) => id === farmId) ?? near[0];
    const bounds = ground && boundsOf([place, ...placesOf(ground.ring)]);
    return bounds ? { kind: "bounds", bounds } : { kind: "point", at: place, zoom: ZOOM.focus };
  }
  const ground = grounds.find(({ id }) => id === farmId) ?? (farmId === null ? grounds[0] : undefined);
  if (ground) return { kind: "bounds", bounds: ground.bounds };
  const [marker] = markers;
  if (marker) return { kind: "point", at: marker, zoom: ZOOM.focus };
  return { kind: "point", at: DEFAULT_PLACE, zoom: ZOOM.form };
}
