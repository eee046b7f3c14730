// One long function: series, axes, marks and gestures share the library's handles.
import { formatStatistic } from "@mulkko/shared/rules/format";
import {
  type AutoscaleInfo,
  createChart,
  type ISeriesApi,
  type LogicalRange,
  type MouseEventParams,
  type Time,
  type WhitespaceData,
} from "lightweight-charts";
import {
  type BandPoint,
  type BandSeriesOptions,
  bandPoints,
  chartTime,
  createBandSeries,
  createOpenSeries,
  isBandPoint,
} from "./band-series.ts";
import { type Bucket, mergeBuckets } from "./bucket.ts";
import { watchSwipes, watchUserMoves, watchZoom } from "./chart-gestures.ts";
import { createChartMarks } from "./chart-marks.ts";
import {
  type ChartMarks,
  type ChartSeries,
  type ChartSettings,
  type ChartWindow,
  type CrosshairReading,
  dashesOf,
  type ViewedRange,
  type YRange,
} from "./chart-model.ts";
import { chartOptions, readChartColors } from "./chart-options.ts";
import { bucketAt, instantAt, readableRange, windowOf, xOf } from "./chart-place.ts";
import { createZoneShift } from "./zone-shift.ts";

type BandApi = ISeriesApi<"Custom", Time, BandPoint | WhitespaceData, BandSeriesOptions>;

interface Line {
  readonly config: ChartSeries;
  api: BandApi;
  buckets: readonly Bucket[];
  range: YRange | null;
  marks: ChartMarks;
}

const isSameWindow = (a: ChartWindow | null, b: ChartWindow | null): boolean =>
  a === b || (a?.from === b?.from && a?.to === b?.to && a?.reachesEnd === b?.reachesEnd);

export const NO_MARKS: ChartMarks = { waterings: [], bounds: null };

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

export type ChartController = ReturnType<typeof createChartController>;

/** Events of a chart. */
export interface ChartEvents {
  /** Called while the pointer moves over the chart, with null when it leaves. */
  onCrosshair?: ((reading: CrosshairReading | null) => void) | undefined;
  /** Called after the user moved the chart to another range. */
  onRange?: ((range: ViewedRange) => void) | undefined;
  /** Called when the chart begins or ceases to show a part of the range. */
  onZoomed?: ((isZoomed: boolean) => void) | undefined;
  /** Called when the chart shows another part of the range; null for all of it. */
  onWindow?: ((window: ChartWindow | null) => void) | undefined;
  /** Called when a finger has swiped over the whole range: 1 selects the next line, -1 the previous one. */
  onSwipe?: ((step: -1 | 1) => void) | undefined;
}

/**
 * Create an imperative chart without React. `dispose` releases everything it holds.
 *
 * @param events returns the current listeners
 */
export function createChartController(
  container: HTMLElement,
  initial: ChartSettings,
  events: () => ChartEvents,
) {
  const ended = new AbortController();
  const { signal } = ended;
  let settings = initial;
  let colors = readChartColors(container);
  let shift = createZoneShift(initial.zone);
  let order: string[] = [];
  const lines = new Map<string, Line>();
  const chart = createChart(container, chartOptions(initial, colors));

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
          return { ...found, priceRange: readableRange(found.priceRange, config.decimals, config.leastSpan) };
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
    line.api.setData(bandPoints(line.buckets, shift(starts), line.config));
  };

  /** Frame with which the library will show the whole range; 0 after it. */
  let fitFrame = 0;
  const forgetFit = () => {
    cancelAnimationFrame(fitFrame);
    fitFrame = 0;
  };
  /** Show the whole range. */
  const showWhole = () => {
    forgetFit();
    chart.timeScale().fitContent();
    fitFrame = requestAnimationFrame(() => {
      fitFrame = 0;
    });
  };
  /** Return true if the whole range is in view; the chart then keeps it in view. */
  const isFitted = (): boolean => {
    if (fitFrame !== 0) return true;
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
    else showWhole();
  };

  /** True while the pointer rests on the plot. */
  let isPointed = false;
  const move = (event: MouseEventParams) => {
    // The library also reports a crosshair that another chart or new data moved. Under a resting pointer it
    // moves with the scale, and with it what is read there (WIN-1).
    if (event.sourceEvent !== undefined) {
      isPointed = event.point !== undefined;
      shownInstant = null;
    } else if (event.point !== undefined && !isPointed) return;
    const instant = event.logical === undefined ? null : instantAt(grid(), event.logical, settings.step);
    if (instant === null || event.time === undefined || event.point === undefined)
      return events().onCrosshair?.(null);
    const values = new Map<string, number>();
    for (const [id, line] of lines) {
      const point = event.seriesData.get(line.api);
      if (point && isBandPoint(point)) values.set(id, point.avg);
    }
    events().onCrosshair?.({ instant, values });
  };
  chart.subscribeCrosshairMove(move);
  const userMoves = watchUserMoves(container, signal);
  const isSwiped = () => settings.swipes && isFitted();
  let swiped = false;
  const followSwipes = () => {
    if (isSwiped() === swiped) return;
    swiped = !swiped;
    chart.applyOptions({ handleScroll: { horzTouchDrag: !swiped } });
  };
  watchSwipes(
    container,
    (step) => {
      if (isSwiped()) events().onSwipe?.(step);
    },
    signal,
  );
  let isZoomed = false;
  const followZoom = () => {
    if (isZoomed !== isFitted()) return;
    isZoomed = !isZoomed;
    events().onZoomed?.(isZoomed);
  };
  /** Instant of another chart's crosshair, unix seconds. The library keeps a place of the plot instead. */
  let shownInstant: number | null = null;
  const showCrosshair = (instant: number | null): CrosshairReading | null => {
    const line = lines.get(order[0] ?? "");
    const start = instant === null || !line ? undefined : bucketAt(line.buckets, instant, settings.step);
    const visible = chart.timeScale().getVisibleLogicalRange();
    // The library throws if its first line has no data right of the window's left edge.
    const seen = line?.buckets.slice(Math.max(0, Math.floor(visible?.from ?? 0))) ?? [];
    if (instant === null || !line || !start || seen.every(({ count }) => count === 0)) {
      chart.clearCrosshairPosition();
      return null;
    }
    const [time = 0] = shift([start.t]);
    chart.setCrosshairPosition(0, chartTime(time), line.api);
    const values = new Map<string, number>();
    for (const [id, { buckets, config }] of lines) {
      const avg = bucketAt(buckets, instant, settings.step)?.avg ?? null;
      if (avg !== null) values.set(id, avg * (config.scale ?? 1) + (config.offset ?? 0));
    }
    return { instant: start.t, values };
  };
  let shownWindow: ChartWindow | null = null;
  const followWindow = () => {
    const range = isFitted() ? null : chart.timeScale().getVisibleLogicalRange();
    const [first] = grid();
    const length = Math.max(0, ...[...lines.values()].map((line) => line.buckets.length));
    const next = range && first ? windowOf(range, { start: first.t, step: settings.step, length }) : null;
    if (isSameWindow(next, shownWindow)) return;
    shownWindow = next;
    events().onWindow?.(next);
  };
  let width = chart.timeScale().width();
  const view = (range: LogicalRange | null) => {
    // The library keeps the scale of a bucket when its width changes: a phone that is turned would lose the
    // beginning of the range.
    const before = width;
    width = chart.timeScale().width();
    if (width !== before && !isZoomed) return showWhole();
    followSwipes();
    followZoom();
    followWindow();
    if (shownInstant !== null) showCrosshair(shownInstant);
    if (range !== null && userMoves.hold()) events().onRange?.(range);
  };
  chart.timeScale().subscribeVisibleLogicalRangeChange(view);
  /** Show a part of the range. A change of width that the library did not report must not undo it. */
  const showPart = (range: ViewedRange) => {
    forgetFit();
    width = chart.timeScale().width();
    chart.timeScale().setVisibleLogicalRange(range);
  };
  const zoomTo = (range: ViewedRange) => {
    userMoves.touch();
    showPart(range);
  };
  watchZoom(container, chart, zoomTo, signal);
  const leave = () => {
    isPointed = false;
    chart.clearCrosshairPosition();
    events().onCrosshair?.(null);
  };
  container.addEventListener("pointerleave", leave, { signal });

  return {
    /** Set the lines in order; the first one has the right axis. Clears the data of removed lines. */
    setSeries(series: readonly ChartSeries[]) {
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
    /** Replace a line's buckets, ascending, on the grid of `step`. */
    setBuckets(id: string, buckets: readonly Bucket[]) {
      const line = lines.get(id);
      if (!line) return;
      line.buckets = buckets;
      draw(line);
      showWhole();
    },
    /** Merge newer buckets into a line's own; missing times become a gap. */
    mergeBuckets(id: string, buckets: readonly Bucket[]) {
      const line = lines.get(id);
      if (!line || buckets.length === 0) return;
      const fitted = isFitted();
      line.buckets = mergeBuckets(line.buckets, buckets, settings.step);
      draw(line);
      if (fitted) showWhole();
      else followWindow();
    },
    /** Set a line's own y range, or null for the automatic one. */
    setRange(id: string, range: YRange | null) {
      const line = lines.get(id);
      if (!line) return;
      line.range = range;
      line.api.priceScale().applyOptions({ autoScale: true });
    },
    /** Give a line the right axis; the previous holder moves to the left. */
    promote(id: string) {
      if (!lines.has(id) || order[0] === id) return;
      order = [id, ...order.filter((other) => other !== id)];
      rebuild();
    },
    applySettings(next: ChartSettings) {
      const layoutMoved =
        next.layout !== settings.layout ||
        next.zone !== settings.zone ||
        next.sharedAxis !== settings.sharedAxis;
      if (next.zone !== settings.zone) shift = createZoneShift(next.zone);
      settings = next;
      colors = readChartColors(container);
      chart.applyOptions(chartOptions(next, colors));
      swiped = false;
      followSwipes();
      if (layoutMoved) rebuild();
      else
        for (const { api, config } of lines.values())
          api.applyOptions({ color: colors.series(config.color) });
    },
    /** Show the whole range, as if the user had moved the chart there: charts that follow do the same. */
    showAll() {
      userMoves.touch();
      showWhole();
    },
    /** Set the marks drawn behind a line. */
    setMarks(id: string, marks: ChartMarks) {
      const line = lines.get(id);
      if (!line) return;
      line.marks = marks;
      // Make the library redraw: it has no other signal for changed marks.
      line.api.applyOptions({});
    },
    /**
     * Move the crosshair to an instant (unix seconds), for charts that follow each other; null hides it. It
     * stays at that instant when the scale moves.
     *
     * @returns the values at that instant, as the chart's own crosshair would report them
     */
    showCrosshair(instant: number | null): CrosshairReading | null {
      shownInstant = instant;
      return showCrosshair(instant);
    },
    /** Show the same range as another chart of the same grid. */
    showRange(range: ViewedRange) {
      if (grid().length === 0) return;
      userMoves.letGo();
      showPart(range);
    },
    /** Return the chart as displayed, without the crosshair, in device pixels. */
    picture: () => chart.takeScreenshot(true, false),
    dispose() {
      ended.abort();
      forgetFit();
      chart.remove();
      lines.clear();
    },
  };
}
