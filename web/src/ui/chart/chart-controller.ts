// Long because the library draws what is told in one place: series, axes, marks and hands share its handles.
import {
  type AutoscaleInfo,
  createChart,
  type ISeriesApi,
  type LogicalRange,
  type MouseEventParams,
  type Time,
  type WhitespaceData,
} from "lightweight-charts";
import { type BandPoint, bandPoints, chartTime, isBandPoint } from "./band-point.ts";
import { type BandSeriesOptions, createBandSeries } from "./band-series.ts";
import { type Bucket, mergeBuckets } from "./bucket.ts";
import { readChartColors } from "./chart-colors.ts";
import { watchHands } from "./chart-hands.ts";
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
import { createOpenSeries } from "./open-series.ts";
import { readableRange } from "./readable-range.ts";
import { createTimeLabels } from "./time-labels.ts";
import { createZoneShift, type ZoneShift } from "./zone-shift.ts";

type BandApi = ISeriesApi<"Custom", Time, BandPoint | WhitespaceData, BandSeriesOptions>;

interface Line {
  readonly config: ChartSeries;
  api: BandApi;
  buckets: readonly Bucket[];
  range: YRange | null;
  marks: ChartMarks;
}

const NO_MARKS: ChartMarks = { waterings: [], bounds: null };

type Look = Pick<ChartSettings, "layout" | "sharedAxis">;

/** Price scale of a line: of lines with axes of their own the promoted one right, the one before it left. */
const scaleOf = ({ layout, sharedAxis }: Look, order: readonly string[], id: string): string => {
  if (layout === "stacked" || sharedAxis || id === order[0]) return "right";
  return id === order[1] ? "left" : `overlay-${id}`;
};

/** How strongly a line is drawn: bands of lines without an axis only hint, else four of them are a fog. */
const emphasis = ({ layout, sharedAxis }: Look, rank: number) => {
  if (layout === "stacked" || rank === 0) return { lineWidth: 2, bandOpacity: 0.2 };
  if (sharedAxis) return { lineWidth: 2, bandOpacity: 0.08 };
  return { lineWidth: 1.5, bandOpacity: rank === 1 ? 0.12 : 0.05 };
};

/** An imperative chart without React. Everything it holds is gone after `dispose`. */
export interface ChartController {
  /** The lines, in order; the first one has the right axis. Clears the data of lines that are gone. */
  setSeries(series: readonly ChartSeries[]): void;
  /** Replaces a line's buckets, ascending, on the grid of `step`. */
  setBuckets(id: string, buckets: readonly Bucket[]): void;
  /** Puts newer buckets over and after a line's own; what lies between becomes a gap. */
  mergeBuckets(id: string, buckets: readonly Bucket[]): void;
  /** A line's own y range, or null for the automatic one. */
  setRange(id: string, range: YRange | null): void;
  /** Gives a line the right axis; the one that had it moves to the left. */
  promote(id: string): void;
  applySettings(settings: ChartSettings): void;
  /** Shows the whole range. */
  fit(): void;
  /** What is drawn behind a line. */
  setMarks(id: string, marks: ChartMarks): void;
  /**
   * Moves the crosshair to an instant (unix seconds) for cards that follow each other; null hides it.
   *
   * @returns what stands there, as the chart's own crosshair would say
   */
  showCrosshair(instant: number | null): CrosshairReading | null;
  /** Looks at the same stretch as another chart of the same grid. */
  showRange(range: ViewedRange): void;
  /** The chart as it stands, without the crosshair; device pixels. */
  picture(): HTMLCanvasElement;
  dispose(): void;
}

/**
 * @param onCrosshair called while the pointer moves over the chart, null when it leaves
 * @param onRange called when a person has moved the chart to another stretch
 * @param onSwipe called when a finger has swiped over the whole range: 1 to the next line, -1 to the one before
 */
export function createChartController(
  container: HTMLElement,
  initial: ChartSettings,
  onCrosshair: (reading: CrosshairReading | null) => void,
  onRange: (range: ViewedRange) => void,
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

  /** The buckets from whose first one places are counted: those of the line that begins first. */
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
        priceScaleId: scaleOf(settings, order, config.id),
        priceFormat: isOpen
          ? { type: "custom", formatter: () => "", minMove: 1 }
          : { type: "price", precision: config.decimals, minMove: 10 ** -config.decimals },
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

  /** Whether the whole range is in view, so that it may stay so. */
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
    // The library tells of a crosshair that new data has pushed on too; nobody pointed.
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
  const hands = watchHands(container);
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
  const view = (range: LogicalRange | null) => {
    followSwipes();
    if (range !== null && hands.hold()) onRange(range);
  };
  chart.timeScale().subscribeVisibleLogicalRangeChange(view);

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
    fit: () => chart.timeScale().fitContent(),
    setMarks(id, marks) {
      const line = lines.get(id);
      if (!line) return;
      line.marks = marks;
      // Nothing else tells the library that something behind a line is another.
      line.api.applyOptions({});
    },
    showCrosshair(instant) {
      const line = lines.get(order[0] ?? "");
      const start = instant === null || !line ? undefined : bucketAt(line.buckets, instant, settings.step);
      const visible = chart.timeScale().getVisibleLogicalRange();
      // The library throws where its first line has nothing on the right of the window's left edge.
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
      hands.letGo();
      chart.timeScale().setVisibleLogicalRange(range);
    },
    picture: () => chart.takeScreenshot(true, false),
    dispose() {
      hands.stop();
      stopSwipes();
      chart.timeScale().unsubscribeVisibleLogicalRangeChange(view);
      chart.unsubscribeCrosshairMove(move);
      chart.remove();
      lines.clear();
    },
  };
}
