import type { MapMarker, MapOutline } from "./marker.ts";
import type { Place } from "./place.ts";

/** Placed devices and grounds: orientation on a map whose style has no land. */
export interface PlacedGround {
  readonly markers: readonly MapMarker[];
  /** Ground of each farm, by its id. */
  readonly outlines: readonly MapOutline[];
}

/** Props of a small map that selects a place for a form. */
export interface PlacePickerProps {
  /** Typed degrees; null, NaN or 0 means not placed. */
  readonly latitude: number | null;
  readonly longitude: number | null;
  /**
   * Called for a place chosen on the map: right click, long press, Enter on the cross, or the user's
   * position.
   */
  readonly onPlace: (place: Place) => void;
  /** Drawn below; the initial view of an empty form. */
  readonly ground?: PlacedGround;
  /** Farm of the device; null if none is chosen. */
  readonly farmId?: string | null;
  /** CSS px. */
  readonly height?: number;
  /** Style of the installation's own map; null or undefined selects the embedded one. */
  readonly styleUrl?: string | null;
  /** Called when the installation's style failed to load and the embedded one replaces it. */
  readonly onFallback?: () => void;
}
