import type { ReactNode, Ref } from "react";
import type { MapMarker, MapOutline } from "./marker.ts";
import type { Place } from "./place.ts";

/** Imperative actions on a map. */
export interface FarmMapHandle {
  /** Show all markers. */
  fit(): void;
}

/** A place to move to. A new object is a new request, even for the same place. */
export interface MapFocus extends Place {
  readonly id: string;
}

/** A callout at a place of the map, in the page's own elements. */
export interface MapCallout extends Place {
  readonly id: string;
  readonly content: ReactNode;
}

/** Settings of a wall map without interaction: it shows all its markers at any size. */
export interface FarView {
  /** Scale factor of everything on it, relative to a desktop reader. */
  readonly scale: number;
  /** Callouts, most important first. Callouts that would cover each other are grouped, as many as fit. */
  readonly callouts: readonly MapCallout[];
  /** Maximum number of callouts in a group. */
  readonly together: number;
  /** Return the text for further callouts at a place. */
  readonly more: (count: number) => string;
}

export interface FarmMapProps {
  /** Content of the map, for screen readers. */
  readonly label: string;
  readonly markers: readonly MapMarker[];
  readonly outlines: readonly MapOutline[];
  /** Selected marker. */
  readonly picked: string | null;
  /** Called when a marker is pressed; null for the ground beside them. */
  readonly onPick: (id: string | null) => void;
  /** Place to zoom to; null keeps the view. */
  readonly focus: MapFocus | null;
  /** Height covered at the lower edge, CSS px. */
  readonly covered?: number;
  /** Popup over a place of the map, in the page's own elements. */
  readonly popup?: (Place & { readonly content: ReactNode }) | null;
  /** Style of the installation's own map; null or undefined selects the embedded one. */
  readonly styleUrl?: string | null;
  readonly far?: FarView;
  readonly ref?: Ref<FarmMapHandle>;
}
