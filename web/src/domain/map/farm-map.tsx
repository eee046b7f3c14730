import { lazy } from "react";
import { retried } from "../../components/lazy/retried.ts";
import type { FarmMapProps } from "./farm-map-view.tsx";
import { MapFrame } from "./map-frame.tsx";

/** MapLibre and deck.gl are half a megabyte: load them with the map, not with its page. */
const FarmMapView = lazy(() => retried(() => import("./farm-map-view.tsx")));

/** Show any number of devices on a map. Shows a text without WebGL or without the library. */
export function FarmMap(props: FarmMapProps) {
  return (
    <MapFrame>
      <FarmMapView {...props} />
    </MapFrame>
  );
}
