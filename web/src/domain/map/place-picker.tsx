import { lazy } from "react";
import { retried } from "../../components/lazy/retried.ts";
import { MapFrame } from "./map-frame.tsx";
import type { PlacePickerProps } from "./place-view.tsx";

/** MapLibre is 290 kB: load it with the first map, not with the first form. */
const PlaceView = lazy(() => retried(() => import("./place-view.tsx")));

/** Height of a form's map, CSS px (spec 2). */
const HEIGHT = 200;

/** Show typed coordinates on a small map and set them. Without a map the form's fields remain. */
export function PlacePicker(props: PlacePickerProps) {
  return (
    <div style={{ height: HEIGHT }}>
      <MapFrame>
        <PlaceView {...props} />
      </MapFrame>
    </div>
  );
}
