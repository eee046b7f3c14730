import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import type { FieldName } from "@mulkko/shared/catalogue/fields";

/** Names of the series colours, in order of assignment. Blue is reserved for water. */
export const SERIES_COLORS = ["teal", "brown", "slate", "plum", "olive"] as const;
export type SeriesColor = (typeof SERIES_COLORS)[number] | "blue";

/** Fields that are amounts of water. */
const WATER: ReadonlySet<string> = new Set(["flowmeter", "speed", "waterlevel", "l", "rain", "valve"]);

/**
 * Choose a colour for each field, in order: water is blue, the others rotate. `turn` counts the earlier uses of the
 * colour: lines of one chart that share one differ by their dashes.
 */
export function seriesLooks(fields: readonly string[]) {
  const used: SeriesColor[] = [];
  return fields.map((field) => {
    const rotated = used.filter((before) => before !== "blue").length % SERIES_COLORS.length;
    const color: SeriesColor = WATER.has(field) ? "blue" : (SERIES_COLORS[rotated] ?? "teal");
    const turn = used.filter((before) => before === color).length;
    used.push(color);
    return { field, color, turn };
  });
}

const DASHES: readonly (readonly number[])[] = [[], [9, 5], [2, 4]];

/** Return the dash and gap lengths for a repeated colour, CSS px; an empty list is a solid line. */
export const dashesOf = (turn: number): readonly number[] => DASHES[turn] ?? DASHES.at(-1) ?? [];

/** Return the CSS variable of a series colour. */
export function seriesColorVar(color: SeriesColor): string {
  return `--mk-colors-series-${color}`;
}

/** One line of a chart. */
export interface ChartSeries {
  readonly id: string;
  readonly color: SeriesColor;
  /** Number of earlier lines with the same colour in the same chart; 0 if omitted. */
  readonly turn?: number;
  readonly decimals: number;
  /** Factor from stored to displayed unit. */
  readonly scale?: number;
  /** Added after the factor. */
  readonly offset?: number;
  /** Least span of its automatic axis, displayed units; a number of decimals decides if omitted. */
  readonly leastSpan?: number;
  /** False for fields without a meaningful minimum and maximum, such as a direction. */
  readonly banded?: boolean;
  /** `open`: a field that is open or closed. Bars show the share of time open, 0 to 1. */
  readonly shape?: "line" | "open";
}

/** A time range of running water, unix seconds; drawn as a bar at the foot of a pane. */
export interface WaterMark {
  readonly from: number;
  readonly to: number;
  /** Letter drawn in the bar if there is space. */
  readonly letter: string;
}

/** Marks drawn behind a line. */
export interface ChartMarks {
  readonly waterings: readonly WaterMark[];
  /** Values between which the line should stay, displayed units; null if not set. */
  readonly bounds: { readonly lower: number | null; readonly upper: number | null } | null;
}

/** Visible range of a chart, in buckets from its beginning. */
export interface ViewedRange {
  readonly from: number;
  readonly to: number;
}

/** Part of the range that a zoomed chart shows, unix seconds; empty where nothing of the range is in view. */
export interface ChartWindow {
  readonly from: number;
  readonly to: number;
  /** True if the newest bucket is in view. */
  readonly reachesEnd: boolean;
}

/** A y-axis range set by the user, displayed units. */
export interface YRange {
  readonly min: number;
  readonly max: number;
}

/** `overlay`: one pane for all lines, two of them with an axis; `stacked`: one pane each. */
export type ChartLayout = "overlay" | "stacked";

/** Values under the crosshair: the instant (unix seconds) and each series' mean, displayed units. */
export interface CrosshairReading {
  readonly instant: number;
  readonly values: ReadonlyMap<string, number>;
}

export interface ChartSettings {
  readonly language: string;
  /** IANA zone of the account. */
  readonly zone: string;
  /** Seconds between buckets. */
  readonly step: number;
  readonly layout: ChartLayout;
  /** True if all lines have the same unit and share one axis. */
  readonly sharedAxis: boolean;
  /** A horizontal swipe over the whole range selects another line. On a zoomed chart it moves the chart. */
  readonly swipes: boolean;
  /** Colour mode. When it changes, the colours are read again. */
  readonly dark: boolean;
}

const DEGREES = 5;
const WATER_SHARE = 5;
const NUTRIENT = 20;

/**
 * Least span of a field's automatic axis, in its displayed unit: what is less than this is no event, and must
 * not fill the height of a chart (AXIS-1). Fields without an entry have a span by their decimals.
 */
const LEAST_SPANS: Readonly<Partial<Record<FieldName, number>>> = {
  soilTemperature: DEGREES,
  temperature: DEGREES,
  td: DEGREES,
  t15: DEGREES,
  t30: DEGREES,
  moisture: WATER_SHARE,
  m15: WATER_SHARE,
  m30: WATER_SHARE,
  humidity: 10,
  rh: 10,
  pressure: 10,
  press: 10,
  co2: 100,
  battery: 10,
  ph: 1,
  ec: 0.5,
  n: NUTRIENT,
  p: NUTRIENT,
  k: NUTRIENT,
  gdo: 2,
  vpd: 0.5,
  windS: 5,
  solar: 100,
  illuminance: 1_000,
  lux: 1_000,
  waterlevel: 50,
  l: 10,
  altitude: 20,
};

const spans: Readonly<Partial<Record<string, number>>> = LEAST_SPANS;

/** Return the least span of a field's axis, displayed unit; 0 where its decimals decide. */
export const leastSpanOf = ({ name }: Pick<FieldSpec, "name">): number => spans[name] ?? 0;
