import { lazy } from "react";
import type { FarmMapProps } from "./farm-map-props.ts";
import { MapFrame } from "./map-frame.tsx";
import { withMapWords } from "./with-map-words.ts";

/** MapLibre and deck.gl are half a megabyte: load them with the map, not with its page. */
const FarmMapView = lazy(() => withMapWords(() => import("./farm-map-view.tsx")));

/** Show any number of devices on a map. Shows a text without WebGL or without the library. */
export function FarmMap(props: FarmMapProps) {
  return (
    <MapFrame>
      <FarmMapView {...props} />
    </MapFrame>
  );
}
