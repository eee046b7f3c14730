import { lazy } from "react";
import { MapFrame } from "./map-frame.tsx";
import type { PlacePickerProps } from "./place-picker-props.ts";
import { withMapWords } from "./with-map-words.ts";

/** MapLibre is 290 kB: it comes with the first map, not with the first form. */
const PlaceView = lazy(() => withMapWords(() => import("./place-view.tsx")));

/** Height of a form's map, CSS px (spec 2). */
const HEIGHT = 200;

/** A small map that follows typed coordinates and sets them. Without a map the form's fields stand alone. */
export function PlacePicker({ height = HEIGHT, ...rest }: PlacePickerProps) {
  return (
    <div style={{ height }}>
      <MapFrame>
        <PlaceView {...rest} />
      </MapFrame>
    </div>
  );
}
