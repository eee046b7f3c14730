import { lazy } from "react";
import type { FarmMapProps } from "./farm-map-props.ts";
import { MapFrame } from "./map-frame.tsx";
import { withMapWords } from "./with-map-words.ts";

/** MapLibre and deck.gl are half a megabyte: they come with the map, not with the page around it. */
const FarmMapView = lazy(() => withMapWords(() => import("./farm-map-view.tsx")));

/** Devices on a map, as many as there are. Without WebGL, or without its library, a sentence in its place. */
export function FarmMap(props: FarmMapProps) {
  return (
    <MapFrame>
      <FarmMapView {...props} />
    </MapFrame>
  );
}
