import type { MapCallout } from "./farm-map-props.ts";
import { worldPoint } from "./mercator.ts";

/** Places closer than this share one callout, CSS px: separate ones would cover each other. */
const TOGETHER_PX = 150;

/** Group the callouts of close places, in their order. */
export function calloutPlaces<Callout extends Omit<MapCallout, "content">>(
  callouts: readonly Callout[],
  zoom: number,
): [Callout, ...Callout[]][] {
  const places: { readonly x: number; readonly y: number; readonly all: [Callout, ...Callout[]] }[] = [];
  for (const callout of callouts) {
    const { x, y } = worldPoint(callout, zoom);
    const near = places.find((place) => Math.hypot(place.x - x, place.y - y) < TOGETHER_PX);
    if (near) near.all.push(callout);
    else places.push({ x, y, all: [callout] });
  }
  return places.map(({ all }) => all);
}
