import type { Place } from "./place.ts";

/** Other places on the small map at most: enough to know the ground by. */
export const OTHERS_SHOWN = 200;

/** A place that a form asks for, on a small map. */
export interface PlacePickerProps {
  /** Degrees as they are typed; null, NaN or 0 is not placed. */
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** A place was chosen on the map: right click, long press, Enter on the cross, or where the person is. */
  readonly onPlace: (place: Place) => void;
  /** What is placed already, to be seen beside it; an empty form begins there. At most {@link OTHERS_SHOWN} are drawn. */
  readonly others?: readonly Place[];
  /** CSS px. */
  readonly height?: number;
  /** Style of the installation's own map; null or left out is the embedded one. */
  readonly styleUrl?: string | null;
}
