// One long function: series, axes, marks and gestures share the library's handles.
import { formatStatistic } from "@mulkko/shared/rules/format";
import {
  type AutoscaleInfo,
  createChart,
  customSeriesDefaultOptions,
  type ICustomSeriesPaneRenderer,
  type ICustomSeriesPaneView,
  type ISeriesApi,
  type LogicalRange,
  type MouseEventParams,
  type PaneRendererCustomData,
  type Time,
  type WhitespaceData,
} from "lightweight-charts";
import { type BandPoint, bandPoints, chartTime, isBandPoint } from "./band-point.ts";
import { type BandSeriesOptions, createBandSeries } from "./band-series.ts";
import { type Bucket, mergeBuckets } from "./bucket.ts";
import { readChartColors } from "./chart-colors.ts";
import { createChartMarks } from "./chart-marks.ts";
import type {
  ChartMarks,
  ChartSeries,
  ChartSettings,
  CrosshairReading,
  ViewedRange,
  YRange,
} from "./chart-model.ts";
import { chartOptions } from "./chart-options.ts";
import { bucketAt, instantAt, xOf } from "./chart-place.ts";
import { watchSwipes } from "./chart-swipe.ts";
import { watchZoom } from "./chart-zoom.ts";
import { drawnBars } from "./drawn-bars.ts";
import { readableRange } from "./readable-range.ts";
import { dashesOf } from "./series-colors.ts";
import { createTimeLabels } from "./time-labels.ts";
import { createZoneShift, type ZoneShift } from "./zone-shift.ts";

/** Minimum bar height, CSS px: keeps a bucket with a moment of opening visible. */
const LEAST_HEIGHT = 3;

/** Height of the line for "closed", CSS px. */
const CLOSED_HEIGHT = 1;

type Target = Parameters<ICustomSeriesPaneRenderer["draw"]>[0];
type ToY = Parameters<ICustomSeriesPaneRenderer["draw"]>[1];

/**
 * Draw open/closed fields as bars: their height is the share of the bucket's time open. A thin line means
 * closed; no mark means unknown.
 */
function createOpenSeries(): ICustomSeriesPaneView<Time, BandPoint, BandSeriesOptions> {
  let data: PaneRendererCustomData<Time, BandPoint> | null = null;
  let color = "";

  const draw = (target: Target, toY: ToY) =>
    target.useMediaCoordinateSpace(({ context }) => {
      if (data === null) return;
      const { barSpacing } = data;
      const foot = toY(0) ?? 0;
      context.fillStyle = color;
      for (const bar of drawnBars(data)) {
        const open = bar.originalData.avg;
        const left = bar.x - barSpacing / 2;
        if (open <= 0) {
          context.globalAlpha = 0.5;
          context.fillRect(left, foot - CLOSED_HEIGHT, barSpacing + 0.5, CLOSED_HEIGHT);
          continue;
        }
        const height = Math.max(LEAST_HEIGHT, foot - (toY(open) ?? foot));
        context.globalAlpha = 1;
        context.fillRect(left, foot - height, barSpacing + 0.5, height);
      }
      context.globalAlpha = 1;
    });

  return {
    renderer: () => ({ draw }),
    update(next, options) {
      data = next;
      color = options.color;
    },
    priceValueBuilder: ({ avg }) => [0, 1, avg],
    isWhitespace: (point): point is WhitespaceData => !isBandPoint(point),
    defaultOptions: () => ({ ...customSeriesDefaultOptions, lineWidth: 2, dashes: [], bandOpacity: 1 }),
    destroy() {
      data = null;
    },
  };
}

/** Time after the last touch in which a move still counts as the user's, ms. */
const HAND_MS = 1_500;

const HANDS = ["pointerdown", "pointermove", "touchmove", "dblclick"] as const;

/** Distinguish the user's moves of a chart from moves caused by new data. */
interface UserMoves {
  /** Return true while the user holds the chart or has just released it. */
  hold(): boolean;
  /** Treat the next move as the user's. */
  touch(): void;
  /** Treat the next move as not the user's. */
  letGo(): void;
  stop(): void;
}

function watchUserMoves(container: HTMLElement): UserMoves {
  let touchedAt = Number.NEGATIVE_INFINITY;
  const touch = () => {
    touchedAt = performance.now();
  };
  for (const name of HANDS) container.addEventListener(name, touch, { passive: true });
  return {
    hold: () => performance.now() - touchedAt < HAND_MS,
    touch,
    letGo: () => {
      touchedAt = Number.NEGATIVE_INFINITY;
    },
    stop: () => {
      for (const name of HANDS) container.removeEventListener(name, touch);
    },
  };
}

type BandApi = ISeriesApi<"Custom", Time, BandPoint | WhitespaceData, BandSeriesOptions>;

interface Line {
  readonly config: ChartSeries;
  api: BandApi;
  buckets: readonly Bucket[];
  range: YRange | null;
  marks: ChartMarks;
}

const NO_MARKS: ChartMarks = { waterings: [], bounds: null };

type AxisSettings = Pick<ChartSettings, "layout" | "sharedAxis">;

/**
 * Return the price scale of a line. With separate axes, the promoted line is right and the previous one left.
 */
const scaleOf = ({ layout, sharedAxis }: AxisSettings, order: readonly string[], id: string): string => {
  if (layout === "stacked" || sharedAxis || id === order[0]) return "right";
  return id === order[1] ? "left" : `overlay-${id}`;
};

/**
 * Return the opacity of a line. Bands of lines without an axis are faint: four full bands cover each other.
 */
const emphasis = ({ layout, sharedAxis }: AxisSettings, rank: number) => {
  if (layout === "stacked" || rank === 0) return { lineWidth: 2, bandOpacity: 0.2 };
  if (sharedAxis) return { lineWidth: 2, bandOpacity: 0.08 };
  return { lineWidth: 1.5, bandOpacity: rank === 1 ? 0.12 : 0.05 };
};

/** An imperative chart without React. `dispose` releases everything it holds. */
export interface ChartController {
  /** Set the lines in order; the first one has the right axis. Clears the data of removed lines. */
  setSeries(series: readonly ChartSeries[]): void;
  /** Replace a line's buckets, ascending, on the grid of `step`. */
  setBuckets(id: string, buckets: readonly Bucket[]): void;
  /** Merge newer buckets into a line's own; missing times become a gap. */
  mergeBuckets(id: string, buckets: readonly Bucket[]): void;
  /** Set a line's own y range, or null for the automatic one. */
  setRange(id: string, range: YRange | null): void;
  /** Give a line the right axis; the previous holder moves to the left. */
  promote(id: string): void;
  applySettings(settings: ChartSettings): void;
  /** Show the whole range, as if the user had moved the chart there: charts that follow do the same. */
  showAll(): void;
  /** Set the marks drawn behind a line. */
  setMarks(id: string, marks: ChartMarks): void;
  /**
   * Move the crosshair to an instant (unix seconds), for charts that follow each other; null hides it.
   *
   * @returns the values at that instant, as the chart's own crosshair would report them
   */
  showCrosshair(instant: number | null): CrosshairReading | null;
  /** Show the same range as another chart of the same grid. */
  showRange(range: ViewedRange): void;
  /** Return the chart as displayed, without the crosshair, in device pixels. */
  picture(): HTMLCanvasElement;
  dispose(): void;
}

/**
 * @param onCrosshair called while the pointer moves over the chart, with null when it leaves
 * @param onRange called when the user has moved the chart to another range
 * @param onZoomed called when the chart begins or ceases to show a part of the range
 * @param onSwipe called when a finger has swiped over the whole range: 1 for the next line, -1 for the
 * previous one
 */
export function createChartController(
  container: HTMLElement,
  initial: ChartSettings,
  onCrosshair: (reading: CrosshairReading | null) => void,
  onRange: (range: ViewedRange) => void,
  onZoomed: (isZoomed: boolean) => void,
  onSwipe: (step: -1 | 1) => void,
): ChartController {
  let settings = initial;
  let colors = readChartColors(container);
  let zone: ZoneShift = createZoneShift(initial.zone);
  let order: string[] = [];
  const lines = new Map<string, Line>();
  const chart = createChart(
    container,
    chartOptions(initial, colors, createTimeLabels(initial.language, initial.step)),
  );

  /** Return the buckets whose first one is place 0: those of the line that starts first. */
  const grid = (): readonly Bucket[] => {
    let found: readonly Bucket[] = [];
    for (const { buckets } of lines.values()) {
      const [first, known] = [buckets[0], found[0]];
      if (first && (!known || first.t < known.t)) found = buckets;
    }
    return found;
  };

  const addLine = (config: ChartSeries, pane: number): BandApi => {
    const rank = order.indexOf(config.id);
    const isOpen = config.shape === "open";
    const weight = emphasis(settings, rank);
    const api = chart.addCustomSeries(
      isOpen ? createOpenSeries() : createBandSeries(),
      {
        color: colors.series(config.color),
        ...weight,
        lineWidth: weight.lineWidth * colors.lineScale,
        // Stacked lines have separate panes and need no dashes.
        dashes: settings.layout === "stacked" ? [] : dashesOf(config.turn ?? 0),
        priceScaleId: scaleOf(settings, order, config.id),
        priceFormat: isOpen
          ? { type: "custom", formatter: () => "", minMove: 1 }
          : {
              type: "custom",
              formatter: (value: number) => formatStatistic(value, { decimals: config.decimals }),
              minMove: 10 ** -config.decimals,
            },
        priceLineVisible: false,
        lastValueVisible: !isOpen && (settings.layout === "stacked" || settings.sharedAxis || rank < 2),
        autoscaleInfoProvider: (automatic: () => AutoscaleInfo | null) => {
          if (isOpen) return { priceRange: { minValue: 0, maxValue: 1 } };
          const range = lines.get(config.id)?.range;
          if (range) return { priceRange: { minValue: range.min, maxValue: range.max } };
          const found = automatic();
          if (!found?.priceRange) return found;
          return { ...found, priceRange: readableRange(found.priceRange, config.decimals) };
        },
      },
      pane,
    );
    api.attachPrimitive(
      createChartMarks({
        marks: () => lines.get(config.id)?.marks ?? NO_MARKS,
        colors: () => colors,
        toX: (instant) => xOf(chart.timeScale(), grid(), instant, settings.step),
        toY: (value) => api.priceToCoordinate(value),
      }),
    );
    return api;
  };

  const draw = (line: Line) => {
    const starts = line.buckets.map((bucket) => bucket.t);
    line.api.setData(bandPoints(line.buckets, zone.shift(starts), line.config));
  };

  /** Return true if the whole range is in view; the chart then keeps it in view. */
  const isFitted = (): boolean => {
    const range = chart.timeScale().getVisibleLogicalRange();
    const length = Math.max(0, ...[...lines.values()].map((line) => line.buckets.length));
    return range === null || (range.from <= 0.5 && range.to >= length - 1.5);
  };

  const rebuild = () => {
    const visible = isFitted() ? null : chart.timeScale().getVisibleLogicalRange();
    for (const line of lines.values()) chart.removeSeries(line.api);
    const stacked = settings.layout === "stacked";
    [...lines.values()].forEach((line, index) => {
      line.api = addLine(line.config, stacked ? index : 0);
      draw(line);
    });
    const second = !stacked && !settings.sharedAxis && order.length > 1;
    chart.applyOptions({ leftPriceScale: { visible: second } });
    for (const pane of chart.panes()) pane.setStretchFactor(1);
    if (visible) chart.timeScale().setVisibleLogicalRange(visible);
    else chart.timeScale().fitContent();
  };

  const move = (event: MouseEventParams) => {
    // The library also reports a crosshair moved by new data. Skip events without a pointer.
    if (event.point !== undefined && event.sourceEvent === undefined) return;
    const instant = event.logical === undefined ? null : instantAt(grid(), event.logical, settings.step);
    if (instant === null || event.time === undefined || event.point === undefined) return onCrosshair(null);
    const values = new Map<string, number>();
    for (const [id, line] of lines) {
      const point = event.seriesData.get(line.api);
      if (point && isBandPoint(point)) values.set(id, point.avg);
    }
    onCrosshair({ instant, values });
  };
  chart.subscribeCrosshairMove(move);
  const userMoves = watchUserMoves(container);
  const isSwiped = () => settings.swipes && isFitted();
  let swiped = false;
  const followSwipes = () => {
    if (isSwiped() === swiped) return;
    swiped = !swiped;
    chart.applyOptions({ handleScroll: { horzTouchDrag: !swiped } });
  };
  const stopSwipes = watchSwipes(container, (step) => {
    if (isSwiped()) onSwipe(step);
  });
  let isZoomed = false;
  const followZoom = () => {
    if (isZoomed !== isFitted()) return;
    isZoomed = !isZoomed;
    onZoomed(isZoomed);
  };
  let width = chart.timeScale().width();
  const view = (range: LogicalRange | null) => {
    // The library keeps the scale of a bucket when its width changes: a phone that is turned would lose the
    // beginning of the range.
    const before = width;
    width = chart.timeScale().width();
    if (width !== before && !isZoomed) return chart.timeScale().fitContent();
    followSwipes();
    followZoom();
    if (range !== null && userMoves.hold()) onRange(range);
  };
  chart.timeScale().subscribeVisibleLogicalRangeChange(view);
  /** Show a part of the range. A change of width that the library did not report must not undo it. */
  const showPart = (range: ViewedRange) => {
    width = chart.timeScale().width();
    chart.timeScale().setVisibleLogicalRange(range);
  };
  const stopZoom = watchZoom(container, chart, (range) => {
    userMoves.touch();
    showPart(range);
  });
  const leave = () => {
    chart.clearCrosshairPosition();
    onCrosshair(null);
  };
  container.addEventListener("pointerleave", leave);

  return {
    setSeries(series) {
      for (const line of lines.values()) chart.removeSeries(line.api);
      const before = new Map(lines);
      lines.clear();
      order = series.map(({ id }) => id);
      for (const config of series) {
        const known = before.get(config.id);
        lines.set(config.id, {
          config,
          api: addLine(config, 0),
          buckets: known?.buckets ?? [],
          range: known?.range ?? null,
          marks: known?.marks ?? NO_MARKS,
        });
      }
      rebuild();
    },
    setBuckets(id, buckets) {
      const line = lines.get(id);
      if (!line) return;
      line.buckets = buckets;
      draw(line);
      chart.timeScale().fitContent();
    },
    mergeBuckets(id, buckets) {
      const line = lines.get(id);
      if (!line || buckets.length === 0) return;
      const fitted = isFitted();
      line.buckets = mergeBuckets(line.buckets, buckets, settings.step);
      draw(line);
      if (fitted) chart.timeScale().fitContent();
    },
    setRange(id, range) {
      const line = lines.get(id);
      if (!line) return;
      line.range = range;
      line.api.priceScale().applyOptions({ autoScale: true });
    },
    promote(id) {
      if (!lines.has(id) || order[0] === id) return;
      order = [id, ...order.filter((other) => other !== id)];
      rebuild();
    },
    applySettings(next) {
      const layoutMoved =
        next.layout !== settings.layout ||
        next.zone !== settings.zone ||
        next.sharedAxis !== settings.sharedAxis;
      if (next.zone !== settings.zone) zone = createZoneShift(next.zone);
      settings = next;
      colors = readChartColors(container);
      chart.applyOptions(chartOptions(next, colors, createTimeLabels(next.language, next.step)));
      swiped = false;
      followSwipes();
      if (layoutMoved) rebuild();
      else
        for (const { api, config } of lines.values())
          api.applyOptions({ color: colors.series(config.color) });
    },
    showAll() {
      userMoves.touch();
      chart.timeScale().fitContent();
    },
    setMarks(id, marks) {
      const line = lines.get(id);
      if (!line) return;
      line.marks = marks;
      // Make the library redraw: it has no other signal for changed marks.
      line.api.applyOptions({});
    },
    showCrosshair(instant) {
      const line = lines.get(order[0] ?? "");
      const start = instant === null || !line ? undefined : bucketAt(line.buckets, instant, settings.step);
      const visible = chart.timeScale().getVisibleLogicalRange();
      // The library throws if its first line has no data right of the window's left edge.
      const seen = line?.buckets.slice(Math.max(0, Math.floor(visible?.from ?? 0))) ?? [];
      if (instant === null || !line || !start || seen.every(({ count }) => count === 0)) {
        chart.clearCrosshairPosition();
        return null;
      }
      const [time = 0] = zone.shift([start.t]);
      chart.setCrosshairPosition(0, chartTime(time), line.api);
      const values = new Map<string, number>();
      for (const [id, { buckets, config }] of lines) {
        const avg = bucketAt(buckets, instant, settings.step)?.avg ?? null;
        if (avg !== null) values.set(id, avg * (config.scale ?? 1) + (config.offset ?? 0));
      }
      return { instant: start.t, values };
    },
    showRange: (range) => {
      if (grid().length === 0) return;
      userMoves.letGo();
      showPart(range);
    },
    picture: () => chart.takeScreenshot(true, false),
    dispose() {
      userMoves.stop();
      stopSwipes();
      stopZoom();
      container.removeEventListener("pointerleave", leave);
      chart.timeScale().unsubscribeVisibleLogicalRangeChange(view);
      chart.unsubscribeCrosshairMove(move);
      chart.remove();
      lines.clear();
    },
  };
}
