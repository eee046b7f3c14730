import type { AlarmPriority } from "@mulkko/shared/live/alarm";
import { STRESS_COLOURS, type StressLevel } from "@mulkko/shared/rules/stress";
import type { Place } from "./place.ts";

/** Side of the square in which an outline is drawn. */
export const BOX = 96;
const MIDDLE = BOX / 2;

/** Return a regular polygon around a middle, first corner on top, as an SVG path. */
export function polygon(corners: number, radius: number, middle: readonly [number, number]): string {
  const points = Array.from({ length: corners }, (_, corner) => {
    const angle = (corner / corners) * 2 * Math.PI - Math.PI / 2;
    const [x, y] = [middle[0] + radius * Math.cos(angle), middle[1] + radius * Math.sin(angle)];
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return `M${points.join("L")}Z`;
}

/** SVG paths of markers by shape, used by lists beside names and by the map's sprite. */
export const MARK_OUTLINES = {
  circle: "M16 48a32 32 0 1 0 64 0a32 32 0 1 0 -64 0Z",
  square: "M27 19h42a8 8 0 0 1 8 8v42a8 8 0 0 1 -8 8h-42a8 8 0 0 1 -8 -8v-42a8 8 0 0 1 8 -8Z",
  diamond: polygon(4, 37, [MIDDLE, MIDDLE]),
  hexagon: polygon(6, 35, [MIDDLE, MIDDLE]),
  pentagon: polygon(5, 36, [MIDDLE, MIDDLE + 3]),
  triangle: polygon(3, 40, [MIDDLE, MIDDLE + 7]),
  drop: "M48 10C56 28 76 42 76 58A28 28 0 0 1 20 58C20 42 40 28 48 10Z",
  bowtie: "M14 22L48 40L82 22V74L48 56L14 74Z",
};

/** Marker outlines, by measurement. */
export type MarkShape = keyof typeof MARK_OUTLINES;

/** Levels of stress in the order of the legend, mildest first. */
export const STRESS_LEVELS = Object.keys(STRESS_COLOURS).filter(
  (level): level is StressLevel => level in STRESS_COLOURS,
);

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
  readonly alarm: AlarmPriority | null;
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

/** Placed devices and grounds: orientation on a map whose style has no land. */
export interface PlacedGround {
  readonly markers: readonly MapMarker[];
  /** Ground of each farm, by its id. */
  readonly outlines: readonly MapOutline[];
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

/** Draw a marker as on the map, beside a name: explains the shape. */
export function ShapeMark({ shape, size = 16 }: { shape: MarkShape; size?: number }) {
  return (
    <svg viewBox={`0 0 ${BOX} ${BOX}`} width={size} height={size} fill="currentColor" aria-hidden>
      <path d={MARK_OUTLINES[shape]} />
    </svg>
  );
}
