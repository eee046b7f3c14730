import {
  type CustomBarItemData,
  type CustomData,
  type CustomSeriesOptions,
  customSeriesDefaultOptions,
  type ICustomSeriesPaneView,
  type PaneRendererCustomData,
  type PriceToCoordinateConverter,
  type Time,
  type UTCTimestamp,
  type WhitespaceData,
} from "lightweight-charts";
import type { Bucket } from "./bucket.ts";

export interface BandSeriesOptions extends CustomSeriesOptions {
  /** Width of the mean line, CSS px. */
  lineWidth: number;
  /** Dash and gap lengths of the mean line, CSS px; empty for a solid line. */
  dashes: readonly number[];
  /** Opacity of the band between minimum and maximum. */
  bandOpacity: number;
}

type Data = PaneRendererCustomData<Time, BandPoint>;

/** Create a series of the library from a function that draws it. */
function createSeries(
  draw: (
    context: CanvasRenderingContext2D,
    data: Data,
    options: BandSeriesOptions,
    toY: PriceToCoordinateConverter,
  ) => void,
  pricesOf: (point: BandPoint) => number[],
): ICustomSeriesPaneView<Time, BandPoint, BandSeriesOptions> {
  let shown: { data: Data; options: BandSeriesOptions } | null = null;
  return {
    renderer: () => ({
      draw: (target, toY) =>
        target.useMediaCoordinateSpace(({ context }) => {
          if (shown) draw(context, shown.data, shown.options, toY);
        }),
    }),
    update(data, options) {
      shown = { data, options };
    },
    priceValueBuilder: pricesOf,
    isWhitespace: (point): point is WhitespaceData => !isBandPoint(point),
    defaultOptions: () => ({ ...customSeriesDefaultOptions, lineWidth: 2, dashes: [], bandOpacity: 0.18 }),
    destroy() {
      shown = null;
    },
  };
}

/** Split bars into stretches without a gap. */
function runs(data: PaneRendererCustomData<Time, BandPoint>): DrawnBar[][] {
  const found: DrawnBar[][] = [];
  for (const bar of drawnBars(data)) {
    const run = found.at(-1);
    if (run === undefined || bar.originalData.begins) found.push([bar]);
    else run.push(bar);
  }
  return found;
}

/**
 * Draw a minimum–maximum band with the mean as a line and with real gaps. The library's own line series would
 * bridge gaps. Buckets are regular, so equal distances are equal times.
 */
export const createBandSeries = () =>
  createSeries(
    (context, data, { color, lineWidth, dashes, bandOpacity }, toY) => {
      const y = (price: number): number => toY(price) ?? 0;
      context.fillStyle = color;
      context.strokeStyle = color;
      context.lineWidth = lineWidth;
      context.lineJoin = "round";
      context.lineCap = "round";
      for (const run of runs(data)) {
        const [first] = run;
        if (first === undefined) continue;
        if (run.length === 1) {
          // A single bucket: draw its span as a bar and its mean as a dot.
          context.globalAlpha = bandOpacity * 2;
          const top = y(first.originalData.max);
          context.fillRect(first.x - 1.5, top, 3, y(first.originalData.min) - top);
          context.globalAlpha = 1;
          context.beginPath();
          context.arc(first.x, y(first.originalData.avg), lineWidth, 0, 2 * Math.PI);
          context.fill();
          continue;
        }
        context.globalAlpha = bandOpacity;
        context.beginPath();
        for (const bar of run) context.lineTo(bar.x, y(bar.originalData.max));
        for (const bar of [...run].reverse()) context.lineTo(bar.x, y(bar.originalData.min));
        context.fill();
        context.globalAlpha = 1;
        context.beginPath();
        for (const bar of run) context.lineTo(bar.x, y(bar.originalData.avg));
        context.setLineDash([...dashes]);
        context.stroke();
        context.setLineDash([]);
      }
    },
    ({ min, max, avg }) => [min, max, avg],
  );

/** Minimum bar height, CSS px: keeps a bucket with a moment of opening visible. */
const LEAST_HEIGHT = 3;

/** Height of the line for "closed", CSS px. */
const CLOSED_HEIGHT = 1;

/**
 * Draw open/closed fields as bars: their height is the share of the bucket's time open. A thin line means
 * closed; no mark means unknown.
 */
export const createOpenSeries = () =>
  createSeries(
    (context, data, { color }, toY) => {
      const foot = toY(0) ?? 0;
      context.fillStyle = color;
      for (const bar of drawnBars(data)) {
        const open = bar.originalData.avg;
        const height = open <= 0 ? CLOSED_HEIGHT : Math.max(LEAST_HEIGHT, foot - (toY(open) ?? foot));
        context.globalAlpha = open <= 0 ? 0.5 : 1;
        context.fillRect(bar.x - data.barSpacing / 2, foot - height, data.barSpacing + 0.5, height);
      }
      context.globalAlpha = 1;
    },
    ({ avg }) => [0, 1, avg],
  );

/** One bucket in displayed units, as the band series draws it. */
export interface BandPoint extends CustomData {
  readonly time: UTCTimestamp;
  readonly min: number;
  readonly max: number;
  readonly avg: number;
  /** True after a gap: the line starts here. */
  readonly begins: boolean;
}

/** Brand wall-clock seconds as the chart library's time type. */
export function chartTime(seconds: number): UTCTimestamp {
  return seconds as UTCTimestamp;
}

/**
 * Convert buckets to chart points. An empty bucket keeps its place on the axis and breaks the line.
 *
 * @param times wall-clock seconds of each bucket, strictly ascending
 * @param scale factor from stored to displayed unit, applied before `offset`
 * @param banded false for fields without a meaningful minimum and maximum, such as a direction
 */
export function bandPoints(
  buckets: readonly Bucket[],
  times: readonly number[],
  { scale = 1, offset = 0, banded = true }: { scale?: number; offset?: number; banded?: boolean } = {},
): (BandPoint | WhitespaceData)[] {
  let begins = true;
  return buckets.map(({ count, min, max, avg }, index) => {
    const time = chartTime(times[index] ?? 0);
    if (count === 0 || avg === null || !Number.isFinite(avg)) {
      begins = true;
      return { time };
    }
    const point: BandPoint = {
      time,
      avg: avg * scale + offset,
      min: (banded ? (min ?? avg) : avg) * scale + offset,
      max: (banded ? (max ?? avg) : avg) * scale + offset,
      begins,
    };
    begins = false;
    return point;
  });
}

/** Return true for a point that has a measurement. */
export function isBandPoint(data: object): data is BandPoint {
  return "avg" in data && typeof data.avg === "number";
}

/** A bar with its position relative to the window, CSS px; outside the window for the neighbours. */
type DrawnBar = CustomBarItemData<Time, BandPoint>;

/**
 * Return the bars to draw: those in the window and one on either side, so that a line reaches the edge. The
 * library updates positions only inside the window. Bars are equally spaced, so the others follow from one
 * inside.
 */
export function drawnBars(
  data: Pick<PaneRendererCustomData<Time, BandPoint>, "bars" | "barSpacing" | "visibleRange">,
): DrawnBar[] {
  const { bars, barSpacing, visibleRange } = data;
  if (visibleRange === null || visibleRange.from >= visibleRange.to) return [];
  const placed = bars[visibleRange.from];
  if (placed === undefined) return [];
  return bars
    .slice(Math.max(0, visibleRange.from - 1), visibleRange.to + 1)
    .map((bar) => ({ ...bar, x: placed.x + (bar.time - placed.time) * barSpacing }));
}
