import type { StressLevel } from "@mulkko/shared/rules/stress";
import type { Place } from "./place.ts";

/** Outlines of marks, by what a device measures. */
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

/** A device on the map. A marker is replaced, never changed, so that it stays the same object until it differs. */
export interface MapMarker extends Place {
  readonly id: string;
  readonly shape: MarkShape;
  /** What it is called; stands under it where there is room. */
  readonly label: string;
  /** Colour of a mark that has one; null is grey. */
  readonly stress: StressLevel | null;
  /** Printed inside. */
  readonly text: string | null;
  /** Its worst alarm that is on. */
  readonly alarm: AlarmLevel | null;
  /** False where what it shows is late, offline or unknown: it is drawn hollow and dashed. */
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

/** The outline of a device type: soil round, air square, weather a diamond, water a drop; an unknown type a triangle. */
export function shapeOf(deviceType: string): MarkShape {
  return SHAPES[deviceType] ?? "triangle";
}
