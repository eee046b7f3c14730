import type { SeriesColor } from "./series-colors.ts";

/** One line of a chart. */
export interface ChartSeries {
  readonly id: string;
  readonly color: SeriesColor;
  readonly decimals: number;
  /** Factor from wire to screen. */
  readonly scale?: number;
  /** False for what has no meaningful minimum and maximum, such as a direction. */
  readonly banded?: boolean;
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
  /** The colour mode; when it changes, the colours are read again. */
  readonly dark: boolean;
}
