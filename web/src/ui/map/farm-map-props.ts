import type { ReactNode, Ref } from "react";
import type { MapMarker, MapOutline } from "./marker.ts";
import type { Place } from "./place.ts";

/** For what is done to a map rather than shown on it. */
export interface FarmMapHandle {
  /** Shows all markers. */
  fit(): void;
}

/** A place that is looked at. Another object is another wish, even of the same place. */
export interface MapFocus extends Place {
  readonly id: string;
}

/** Something that is said at a place of the map, in the page's own elements. */
export interface MapCallout extends Place {
  readonly id: string;
  readonly content: ReactNode;
}

/** A map that is read from afar, and that nobody touches: it shows all its markers, whatever room it has. */
export interface FarView {
  /** How many times larger than for a reader at a desk everything on it is drawn. */
  readonly scale: number;
  /** The most important first; those that would cover one another stand together, as many as have room. */
  readonly callouts: readonly MapCallout[];
  /** How many stand together at most. */
  readonly together: number;
  /** Says how many more there are at a place. */
  readonly more: (count: number) => string;
}

export interface FarmMapProps {
  /** What the map shows, for those who do not see it. */
  readonly label: string;
  readonly markers: readonly MapMarker[];
  readonly outlines: readonly MapOutline[];
  /** The marker that is looked at. */
  readonly picked: string | null;
  /** A marker was pressed; null: the ground beside them. */
  readonly onPick: (id: string | null) => void;
  /** Where the map goes, closely; null leaves it where it is. */
  readonly focus: MapFocus | null;
  /** CSS px at the lower edge that something covers. */
  readonly covered?: number;
  /** What stands over a place of the map, in the page's own elements. */
  readonly popup?: (Place & { readonly content: ReactNode }) | null;
  /** Style of the installation's own map; null or left out is the embedded one. */
  readonly styleUrl?: string | null;
  readonly far?: FarView;
  readonly ref?: Ref<FarmMapHandle>;
}
