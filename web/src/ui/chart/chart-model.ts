import type { SeriesColor } from "./series-colors.ts";

/** One line of a chart. */
export interface ChartSeries {
  readonly id: string;
  readonly color: SeriesColor;
  readonly decimals: number;
  /** Factor from wire to screen. */
  readonly scale?: number;
  /** Added after the factor. */
  readonly offset?: number;
  /** False for what has no meaningful minimum and maximum, such as a direction. */
  readonly banded?: boolean;
  /** `open`: something that is open or closed, drawn as bars as high as the share that it was open, 0 to 1. */
  readonly shape?: "line" | "open";
}

/** A stretch in which water ran, unix seconds; drawn as a bar at the foot of a pane. */
export interface WaterMark {
  readonly from: number;
  readonly to: number;
  /** What stands in the bar where there is room: a letter. */
  readonly letter: string;
}

/** What is drawn behind a line. */
export interface ChartMarks {
  readonly waterings: readonly WaterMark[];
  /** Between which values the line is to stay, shown units; null where one is not set. */
  readonly bounds: { readonly lower: number | null; readonly upper: number | null } | null;
}

/** A stretch of a chart that somebody looks at, in buckets from its beginning. */
export interface ViewedRange {
  readonly from: number;
  readonly to: number;
}

/** A y-axis range of a person's choice, shown units. */
export interface YRange {
  readonly min: number;
  readonly max: number;
}

/** `overlay`: all in one pane, two of them with an axis; `stacked`: a pane each. */
export type ChartLayout = "overlay" | "stacked";

/** What stands under the crosshair: the instant (unix seconds) and each series' mean there, shown units. */
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
  /** True where all lines are of one measurement: they have one axis. */
  readonly sharedAxis: boolean;
  /** A finger that goes sideways over the whole range leads to another line; zoomed in, it moves the chart. */
  readonly swipes: boolean;
  /** The colour mode; when it changes, the colours are read again. */
  readonly dark: boolean;
}
