import {
  type AutoscaleInfo,
  createChart,
  type ISeriesApi,
  type MouseEventParams,
  type Time,
  type WhitespaceData,
} from "lightweight-charts";
import { type BandPoint, bandPoints, chartTime, isBandPoint } from "./band-point.ts";
import { type BandSeriesOptions, createBandSeries } from "./band-series.ts";
import { type Bucket, mergeBuckets } from "./bucket.ts";
import { readChartColors } from "./chart-colors.ts";
import type { ChartLayout, ChartSeries, ChartSettings, CrosshairReading, YRange } from "./chart-model.ts";
import { chartOptions } from "./chart-options.ts";
import { readableRange } from "./readable-range.ts";
import { createTimeLabels } from "./time-labels.ts";
import { createZoneShift, type ZoneShift } from "./zone-shift.ts";

type BandApi = ISeriesApi<"Custom", Time, BandPoint | WhitespaceData, BandSeriesOptions>;

interface Line {
  readonly config: ChartSeries;
  api: BandApi;
  buckets: readonly Bucket[];
  range: YRange | null;
}

/** Price scale of a line: the promoted one right, the one before it left, the others unseen. */
const scaleIds = (order: readonly string[], id: string): string =>
  id === order[0] ? "right" : id === order[1] ? "left" : `overlay-${id}`;

/** How strongly a line is drawn: bands of lines without an axis only hint, else four of them are a fog. */
const emphasis = (layout: ChartLayout, rank: number) =>
  layout === "stacked" || rank === 0
    ? { lineWidth: 2, bandOpacity: 0.2 }
    : { lineWidth: 1.5, bandOpacity: rank === 1 ? 0.12 : 0.05 };

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
  /** Moves the crosshair to an instant (unix seconds) for cards that follow each other; null hides it. */
  showCrosshair(instant: number | null): void;
  dispose(): void;
}

/**
 * @param onCrosshair called while the pointer moves over the chart, null when it leaves
 */
export function createChartController(
  container: HTMLElement,
  initial: ChartSettings,
  onCrosshair: (reading: CrosshairReading | null) => void,
): ChartController {
  let settings = initial;
  let colors = readChartColors(container);
  let zone: ZoneShift = createZoneShift(initial.zone);
  let order: string[] = [];
  const lines = new Map<string, Line>();
  /** Wall-clock second → instant, for what the crosshair stands on. */
  const instants = new Map<number, number>();
  const chart = createChart(
    container,
    chartOptions(initial, colors, createTimeLabels(initial.language, initial.step)),
  );

  const addLine = (config: ChartSeries, pane: number): BandApi =>
    chart.addCustomSeries(
      createBandSeries(),
      {
        color: colors.series(config.color),
        ...emphasis(settings.layout, order.indexOf(config.id)),
        priceScaleId: settings.layout === "stacked" ? "right" : scaleIds(order, config.id),
        priceFormat: { type: "price", precision: config.decimals, minMove: 10 ** -config.decimals },
        priceLineVisible: false,
        lastValueVisible: settings.layout === "stacked" || order.indexOf(config.id) < 2,
        autoscaleInfoProvider: (automatic: () => AutoscaleInfo | null) => {
          const range = lines.get(config.id)?.range;
          if (range) return { priceRange: { minValue: range.min, maxValue: range.max } };
          const found = automatic();
          if (!found?.priceRange) return found;
          return { ...found, priceRange: readableRange(found.priceRange, config.decimals) };
        },
      },
      pane,
    );

  const draw = (line: Line) => {
    const starts = line.buckets.map((bucket) => bucket.t);
    const times = zone.shift(starts);
    times.forEach((time, index) => {
      instants.set(time, starts[index] ?? time);
    });
    line.api.setData(bandPoints(line.buckets, times, line.config));
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
    instants.clear();
    const stacked = settings.layout === "stacked";
    [...lines.values()].forEach((line, index) => {
      line.api = addLine(line.config, stacked ? index : 0);
      draw(line);
    });
    chart.applyOptions({ leftPriceScale: { visible: !stacked && order.length > 1 } });
    for (const pane of chart.panes()) pane.setStretchFactor(1);
    if (visible) chart.timeScale().setVisibleLogicalRange(visible);
    else chart.timeScale().fitContent();
  };

  const move = (event: MouseEventParams) => {
    if (typeof event.time !== "number" || event.point === undefined) return onCrosshair(null);
    const values = new Map<string, number>();
    for (const [id, line] of lines) {
      const point = event.seriesData.get(line.api);
      if (point && isBandPoint(point)) values.set(id, point.avg);
    }
    onCrosshair({ instant: instants.get(event.time) ?? event.time, values });
  };
  chart.subscribeCrosshairMove(move);

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
      const layoutMoved = next.layout !== settings.layout || next.zone !== settings.zone;
      if (next.zone !== settings.zone) zone = createZoneShift(next.zone);
      settings = next;
      colors = readChartColors(container);
      chart.applyOptions(chartOptions(next, colors, createTimeLabels(next.language, next.step)));
      if (layoutMoved) rebuild();
      else
        for (const { api, config } of lines.values())
          api.applyOptions({ color: colors.series(config.color) });
    },
    fit: () => chart.timeScale().fitContent(),
    showCrosshair(instant) {
      const [line] = lines.values();
      if (instant === null || !line) return chart.clearCrosshairPosition();
      const [time = 0] = zone.shift([instant]);
      chart.setCrosshairPosition(0, chartTime(time), line.api);
    },
    dispose() {
      chart.unsubscribeCrosshairMove(move);
      chart.remove();
      lines.clear();
      instants.clear();
    },
  };
}
