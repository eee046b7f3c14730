import type { StressLevel } from "@mulkko/shared/rules/stress";
import type { Place } from "./place.ts";

/** Marker outlines, by measurement. */
export const MARK_SHAPES = [
  "circle",
  "square",
  "diamond",
  "drop",
  "hexagon",
  "pentagon",
  "bowtie",
  "triangle",
] as const;
export type MarkShape = (typeof MARK_SHAPES)[number];

/** 1 is the most urgent. */
export type AlarmLevel = 1 | 2 | 3;

/** A device on the map. Markers are immutable: an unchanged marker is the same object. */
export interface MapMarker extends Place {
  readonly id: string;
  readonly shape: MarkShape;
  /** Name, shown below the marker if there is space. */
  readonly label: string;
  /** Colour of the marker; null is grey. */
  readonly stress: StressLevel | null;
  /** Text inside the marker. */
  readonly text: string | null;
  /** Worst active alarm of the device. */
  readonly alarm: AlarmLevel | null;
  /** False if the value is late, offline or unknown: drawn hollow and dashed. */
  readonly fresh: boolean;
}

/** The ground of a farm. */
export interface MapOutline {
  readonly id: string;
  readonly name: string;
  /** Closed, longitude before latitude. */
  readonly ring: readonly (readonly [longitude: number, latitude: number])[];
}

const SHAPES: Readonly<Record<string, MarkShape>> = {
  SMS: "circle",
  SOIL: "circle",
  SSH: "circle",
  AT: "square",
  CO2: "square",
  ATS02: "diamond",
  ATS03: "diamond",
  WATERFLOW: "drop",
  NUTRIENT: "drop",
  DRAINAGE: "drop",
  WATERLEVEL: "drop",
  FMS: "hexagon",
  FMS02: "hexagon",
  COMPOST: "pentagon",
  LAT: "circle",
  COT: "bowtie",
};

/**
 * Return the outline of a device type: soil round, air square, weather a diamond, water a drop; an unknown
 * type a triangle.
 */
export function shapeOf(deviceType: string): MarkShape {
  return SHAPES[deviceType] ?? "triangle";
}
