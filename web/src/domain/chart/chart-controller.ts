import { formatStatistic } from "@mulkko/shared/rules/format";
import {
  type AutoscaleInfo,
  createChart,
  type IChartApi,
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
import { type ChartColors, chartOptions, readChartColors } from "./chart-options.ts";
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
 * An imperative chart without React. `dispose` releases everything it holds.
 *
 * | the chart shows | becomes | when |
 * | --- | --- | --- |
 * | the whole range | the whole range | its data, its layout or its width change |
 * | the whole range | a part | the user zooms or moves it, or another chart of the same grid is followed |
 * | a part | a part | its data or its layout change |
 * | a part | the whole range | buckets are replaced, or the user asks for all |
 */
export class ChartController {
  readonly #container: HTMLElement;
  readonly #events: () => ChartEvents;
  readonly #ended = new AbortController();
  readonly #chart: IChartApi;
  readonly #userMoves;
  readonly #lines = new Map<string, Line>();
  #settings: ChartSettings;
  #colors: ChartColors;
  #shift;
  #order: string[] = [];
  /** Frame with which the library will show the whole range; 0 after it. */
  #fitFrame = 0;
  /** True while the pointer rests on the plot. */
  #isPointed = false;
  #swiped = false;
  #isZoomed = false;
  /** Instant of another chart's crosshair, unix seconds. The library keeps a place of the plot instead. */
  #shownInstant: number | null = null;
  #shownWindow: ChartWindow | null = null;
  #width: number;

  /** @param events returns the current listeners */
  constructor(container: HTMLElement, initial: ChartSettings, events: () => ChartEvents) {
    const { signal } = this.#ended;
    this.#container = container;
    this.#events = events;
    this.#settings = initial;
    this.#colors = readChartColors(container);
    this.#shift = createZoneShift(initial.zone);
    const chart = createChart(container, chartOptions(initial, this.#colors));
    this.#chart = chart;
    chart.subscribeCrosshairMove((event) => this.#move(event));
    this.#userMoves = watchUserMoves(container, signal);
    watchSwipes(
      container,
      (step) => {
        if (this.#isSwiped()) this.#events().onSwipe?.(step);
      },
      signal,
    );
    this.#width = chart.timeScale().width();
    chart.timeScale().subscribeVisibleLogicalRangeChange((range) => this.#view(range));
    const zoomTo = (range: ViewedRange) => {
      this.#userMoves.touch();
      this.#showPart(range);
    };
    watchZoom(container, chart, zoomTo, signal);
    container.addEventListener("pointerleave", () => this.#leave(), { signal });
  }

  /** Set the lines in order; the first one has the right axis. Clears the data of removed lines. */
  setSeries(series: readonly ChartSeries[]): void {
    for (const line of this.#lines.values()) this.#chart.removeSeries(line.api);
    const before = new Map(this.#lines);
    this.#lines.clear();
    this.#order = series.map(({ id }) => id);
    for (const config of series) {
      const known = before.get(config.id);
      this.#lines.set(config.id, {
        config,
        api: this.#addLine(config, 0),
        buckets: known?.buckets ?? [],
        range: known?.range ?? null,
        marks: known?.marks ?? NO_MARKS,
      });
    }
    this.#rebuild();
  }

  /** Replace a line's buckets, ascending, on the grid of `step`. */
  setBuckets(id: string, buckets: readonly Bucket[]): void {
    const line = this.#lines.get(id);
    if (!line) return;
    line.buckets = buckets;
    this.#draw(line);
    this.#showWhole();
  }

  /** Merge newer buckets into a line's own; missing times become a gap. */
  mergeBuckets(id: string, buckets: readonly Bucket[]): void {
    const line = this.#lines.get(id);
    if (!line || buckets.length === 0) return;
    const fitted = this.#isFitted();
    line.buckets = mergeBuckets(line.buckets, buckets, this.#settings.step);
    this.#draw(line);
    if (fitted) this.#showWhole();
    else this.#followWindow();
  }

  /** Set a line's own y range, or null for the automatic one. */
  setRange(id: string, range: YRange | null): void {
    const line = this.#lines.get(id);
    if (!line) return;
    line.range = range;
    line.api.priceScale().applyOptions({ autoScale: true });
  }

  /** Give a line the right axis; the previous holder moves to the left. */
  promote(id: string): void {
    if (!this.#lines.has(id) || this.#order[0] === id) return;
    this.#order = [id, ...this.#order.filter((other) => other !== id)];
    this.#rebuild();
  }

  applySettings(next: ChartSettings): void {
    const layoutMoved =
      next.layout !== this.#settings.layout ||
      next.zone !== this.#settings.zone ||
      next.sharedAxis !== this.#settings.sharedAxis;
    if (next.zone !== this.#settings.zone) this.#shift = createZoneShift(next.zone);
    this.#settings = next;
    this.#colors = readChartColors(this.#container);
    this.#chart.applyOptions(chartOptions(next, this.#colors));
    this.#swiped = false;
    this.#followSwipes();
    if (layoutMoved) this.#rebuild();
    else
      for (const { api, config } of this.#lines.values())
        api.applyOptions({ color: this.#colors.series(config.color) });
  }

  /** Show the whole range, as if the user had moved the chart there: charts that follow do the same. */
  showAll(): void {
    this.#userMoves.touch();
    this.#showWhole();
  }

  /** Set the marks drawn behind a line. */
  setMarks(id: string, marks: ChartMarks): void {
    const line = this.#lines.get(id);
    if (!line) return;
    line.marks = marks;
    // Make the library redraw: it has no other signal for changed marks.
    line.api.applyOptions({});
  }

  /**
   * Move the crosshair to an instant (unix seconds), for charts that follow each other; null hides it. It
   * stays at that instant when the scale moves.
   *
   * @returns the values at that instant, as the chart's own crosshair would report them
   */
  showCrosshair(instant: number | null): CrosshairReading | null {
    this.#shownInstant = instant;
    return this.#drawCrosshair(instant);
  }

  /** Show the same range as another chart of the same grid. */
  showRange(range: ViewedRange): void {
    if (this.#grid().length === 0) return;
    this.#userMoves.letGo();
    this.#showPart(range);
  }

  /** Return the chart as displayed, without the crosshair, in device pixels. */
  picture(): HTMLCanvasElement {
    return this.#chart.takeScreenshot(true, false);
  }

  dispose(): void {
    this.#ended.abort();
    this.#forgetFit();
    this.#chart.remove();
    this.#lines.clear();
  }

  /** Return the buckets whose first one is place 0: those of the line that starts first. */
  #grid(): readonly Bucket[] {
    let found: readonly Bucket[] = [];
    for (const { buckets } of this.#lines.values()) {
      const [first, known] = [buckets[0], found[0]];
      if (first && (!known || first.t < known.t)) found = buckets;
    }
    return found;
  }

  #addLine(config: ChartSeries, pane: number): BandApi {
    const rank = this.#order.indexOf(config.id);
    const isOpen = config.shape === "open";
    const weight = emphasis(this.#settings, rank);
    const api = this.#chart.addCustomSeries(
      isOpen ? createOpenSeries() : createBandSeries(),
      {
        color: this.#colors.series(config.color),
        ...weight,
        lineWidth: weight.lineWidth * this.#colors.lineScale,
        // Stacked lines have separate panes and need no dashes.
        dashes: this.#settings.layout === "stacked" ? [] : dashesOf(config.turn ?? 0),
        priceScaleId: scaleOf(this.#settings, this.#order, config.id),
        priceFormat: isOpen
          ? { type: "custom", formatter: () => "", minMove: 1 }
          : {
              type: "custom",
              formatter: (value: number) => formatStatistic(value, { decimals: config.decimals }),
              minMove: 10 ** -config.decimals,
            },
        priceLineVisible: false,
        lastValueVisible:
          !isOpen && (this.#settings.layout === "stacked" || this.#settings.sharedAxis || rank < 2),
        autoscaleInfoProvider: (automatic: () => AutoscaleInfo | null) => {
          if (isOpen) return { priceRange: { minValue: 0, maxValue: 1 } };
          const range = this.#lines.get(config.id)?.range;
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
        marks: () => this.#lines.get(config.id)?.marks ?? NO_MARKS,
        colors: () => this.#colors,
        toX: (instant) => xOf(this.#chart.timeScale(), this.#grid(), instant, this.#settings.step),
        toY: (value) => api.priceToCoordinate(value),
      }),
    );
    return api;
  }

  #draw(line: Line): void {
    const starts = line.buckets.map((bucket) => bucket.t);
    line.api.setData(bandPoints(line.buckets, this.#shift(starts), line.config));
  }

  #forgetFit(): void {
    cancelAnimationFrame(this.#fitFrame);
    this.#fitFrame = 0;
  }

  /** Show the whole range. */
  #showWhole(): void {
    this.#forgetFit();
    this.#chart.timeScale().fitContent();
    this.#fitFrame = requestAnimationFrame(() => {
      this.#fitFrame = 0;
    });
  }

  /** Return true if the whole range is in view; the chart then keeps it in view. */
  #isFitted(): boolean {
    if (this.#fitFrame !== 0) return true;
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    const length = Math.max(0, ...[...this.#lines.values()].map((line) => line.buckets.length));
    return range === null || (range.from <= 0.5 && range.to >= length - 1.5);
  }

  #rebuild(): void {
    const visible = this.#isFitted() ? null : this.#chart.timeScale().getVisibleLogicalRange();
    for (const line of this.#lines.values()) this.#chart.removeSeries(line.api);
    const stacked = this.#settings.layout === "stacked";
    [...this.#lines.values()].forEach((line, index) => {
      line.api = this.#addLine(line.config, stacked ? index : 0);
      this.#draw(line);
    });
    const second = !stacked && !this.#settings.sharedAxis && this.#order.length > 1;
    this.#chart.applyOptions({ leftPriceScale: { visible: second } });
    for (const pane of this.#chart.panes()) pane.setStretchFactor(1);
    if (visible) this.#chart.timeScale().setVisibleLogicalRange(visible);
    else this.#showWhole();
  }

  #move(event: MouseEventParams): void {
    // The library also reports a crosshair that another chart or new data moved. Under a resting pointer it
    // moves with the scale, and with it what is read there (WIN-1).
    if (event.sourceEvent !== undefined) {
      this.#isPointed = event.point !== undefined;
      this.#shownInstant = null;
    } else if (event.point !== undefined && !this.#isPointed) return;
    const instant =
      event.logical === undefined ? null : instantAt(this.#grid(), event.logical, this.#settings.step);
    if (instant === null || event.time === undefined || event.point === undefined) {
      this.#events().onCrosshair?.(null);
      return;
    }
    const values = new Map<string, number>();
    for (const [id, line] of this.#lines) {
      const point = event.seriesData.get(line.api);
      if (point && isBandPoint(point)) values.set(id, point.avg);
    }
    this.#events().onCrosshair?.({ instant, values });
  }

  #isSwiped(): boolean {
    return this.#settings.swipes && this.#isFitted();
  }

  #followSwipes(): void {
    if (this.#isSwiped() === this.#swiped) return;
    this.#swiped = !this.#swiped;
    this.#chart.applyOptions({ handleScroll: { horzTouchDrag: !this.#swiped } });
  }

  #followZoom(): void {
    if (this.#isZoomed !== this.#isFitted()) return;
    this.#isZoomed = !this.#isZoomed;
    this.#events().onZoomed?.(this.#isZoomed);
  }

  #drawCrosshair(instant: number | null): CrosshairReading | null {
    const line = this.#lines.get(this.#order[0] ?? "");
    const start =
      instant === null || !line ? undefined : bucketAt(line.buckets, instant, this.#settings.step);
    const visible = this.#chart.timeScale().getVisibleLogicalRange();
    // The library throws if its first line has no data right of the window's left edge.
    const seen = line?.buckets.slice(Math.max(0, Math.floor(visible?.from ?? 0))) ?? [];
    if (instant === null || !line || !start || seen.every(({ count }) => count === 0)) {
      this.#chart.clearCrosshairPosition();
      return null;
    }
    const [time = 0] = this.#shift([start.t]);
    this.#chart.setCrosshairPosition(0, chartTime(time), line.api);
    const values = new Map<string, number>();
    for (const [id, { buckets, config }] of this.#lines) {
      const avg = bucketAt(buckets, instant, this.#settings.step)?.avg ?? null;
      if (avg !== null) values.set(id, avg * (config.scale ?? 1) + (config.offset ?? 0));
    }
    return { instant: start.t, values };
  }

  #followWindow(): void {
    const range = this.#isFitted() ? null : this.#chart.timeScale().getVisibleLogicalRange();
    const [first] = this.#grid();
    const length = Math.max(0, ...[...this.#lines.values()].map((line) => line.buckets.length));
    const next =
      range && first ? windowOf(range, { start: first.t, step: this.#settings.step, length }) : null;
    if (isSameWindow(next, this.#shownWindow)) return;
    this.#shownWindow = next;
    this.#events().onWindow?.(next);
  }

  #view(range: LogicalRange | null): void {
    // The library keeps the scale of a bucket when its width changes: a phone that is turned would lose the
    // beginning of the range.
    const before = this.#width;
    this.#width = this.#chart.timeScale().width();
    if (this.#width !== before && !this.#isZoomed) {
      this.#showWhole();
      return;
    }
    this.#followSwipes();
    this.#followZoom();
    this.#followWindow();
    if (this.#shownInstant !== null) this.#drawCrosshair(this.#shownInstant);
    if (range !== null && this.#userMoves.hold()) this.#events().onRange?.(range);
  }

  /** Show a part of the range. A change of width that the library did not report must not undo it. */
  #showPart(range: ViewedRange): void {
    this.#forgetFit();
    this.#width = this.#chart.timeScale().width();
    this.#chart.timeScale().setVisibleLogicalRange(range);
  }

  #leave(): void {
    this.#isPointed = false;
    this.#chart.clearCrosshairPosition();
    this.#events().onCrosshair?.(null);
  }
}
