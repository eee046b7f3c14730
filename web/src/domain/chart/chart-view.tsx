import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef } from "react";
import { useColorMode } from "../../theme/color-mode.ts";
import type { Bucket } from "./bucket.ts";
import { type ChartController, createChartController } from "./chart-controller.ts";
import type {
  ChartLayout,
  ChartMarks,
  ChartSeries,
  ChartSettings,
  CrosshairReading,
  ViewedRange,
  YRange,
} from "./chart-model.ts";
import "./chart-view.css";

/** Handle for changes more frequent than a React render. */
export interface ChartHandle {
  mergeBuckets(id: string, buckets: readonly Bucket[]): void;
  /** @returns the values at that instant */
  showCrosshair(instant: number | null): CrosshairReading | null;
  showRange(range: ViewedRange): void;
  showAll(): void;
  /** Return the chart as displayed, device pixels; null while there is no chart. */
  picture(): HTMLCanvasElement | null;
}

export interface ChartViewProps {
  series: readonly ChartSeries[];
  /** By series id; a new object replaces the data. Live buckets arrive through the handle. */
  buckets: Readonly<Record<string, readonly Bucket[]>>;
  /** Seconds between buckets. */
  step: number;
  /** IANA zone of the account. */
  zone: string;
  language: string;
  layout: ChartLayout;
  /** True if all lines have the same unit and share one axis. */
  sharedAxis?: boolean;
  /** Series with the right axis. */
  promoted?: string | null;
  ranges?: Readonly<Record<string, YRange | null>>;
  /** Marks behind lines, by series id. Keep the same object while it is unchanged. */
  marks?: Readonly<Record<string, ChartMarks>>;
  /** CSS px. A stacked chart grows to at least 96 per pane. */
  height: number;
  /** Content of the chart, for screen readers. */
  label: string;
  onCrosshair?: (reading: CrosshairReading | null) => void;
  /** Called after the user moved the chart to another range. */
  onRange?: (range: ViewedRange) => void;
  /** Called when the chart begins or ceases to show a part of the range. */
  onZoomed?: (isZoomed: boolean) => void;
  /**
   * Called after a swipe: 1 selects the next line, -1 the previous one. Without it a swipe moves the chart.
   */
  onSwipe?: (step: -1 | 1) => void;
  ref?: Ref<ChartHandle>;
}

const PANE_MIN_HEIGHT = 96;

/** Minimum height of a chart in a low window, CSS px. */
const LOW_HEIGHT = 140;

const NO_MARKS: ChartMarks = { waterings: [], bounds: null };

/**
 * Draw lines as bands with real gaps. Thin wrapper: the controller lives from mount to unmount and does the
 * work.
 */
export default function ChartView(props: ChartViewProps) {
  const {
    series,
    buckets,
    step,
    zone,
    language,
    layout,
    sharedAxis = false,
    promoted = null,
    ranges,
    marks,
    height,
    label,
    onCrosshair,
    onRange,
    onZoomed,
    onSwipe,
    ref,
  } = props;
  const { dark } = useColorMode();
  const swipes = onSwipe !== undefined;
  const settings = useMemo<ChartSettings>(
    () => ({ language, zone, step, layout, sharedAxis, swipes, dark }),
    [language, zone, step, layout, sharedAxis, swipes, dark],
  );
  const container = useRef<HTMLElement>(null);
  const controller = useRef<ChartController | null>(null);
  const latest = useRef({ settings, onCrosshair, onRange, onZoomed, onSwipe });

  useLayoutEffect(() => {
    latest.current = { settings, onCrosshair, onRange, onZoomed, onSwipe };
  });
  useLayoutEffect(() => {
    if (container.current === null) return;
    const created = createChartController(
      container.current,
      latest.current.settings,
      (reading) => latest.current.onCrosshair?.(reading),
      (range) => latest.current.onRange?.(range),
      (isZoomed) => latest.current.onZoomed?.(isZoomed),
      (step) => latest.current.onSwipe?.(step),
    );
    controller.current = created;
    return () => {
      controller.current = null;
      created.dispose();
    };
    // Construct once; the effects below apply every later change.
  }, []);
  useEffect(() => {
    controller.current?.applySettings(settings);
  }, [settings]);
  useEffect(() => {
    controller.current?.setSeries(series);
  }, [series]);
  useEffect(() => {
    for (const { id } of series) controller.current?.setBuckets(id, buckets[id] ?? []);
  }, [series, buckets]);
  useEffect(() => {
    const chosen = series.find(({ id }) => id === promoted);
    if (chosen) controller.current?.promote(chosen.id);
  }, [promoted, series]);
  useEffect(() => {
    for (const { id } of series) controller.current?.setRange(id, ranges?.[id] ?? null);
  }, [series, ranges]);

  useEffect(() => {
    for (const { id } of series) controller.current?.setMarks(id, marks?.[id] ?? NO_MARKS);
  }, [series, marks]);

  useImperativeHandle(ref, () => ({
    mergeBuckets: (id, newer) => controller.current?.mergeBuckets(id, newer),
    showCrosshair: (instant) => controller.current?.showCrosshair(instant) ?? null,
    showRange: (range) => controller.current?.showRange(range),
    showAll: () => controller.current?.showAll(),
    picture: () => controller.current?.picture() ?? null,
  }));

  const stackedHeight = Math.max(height, series.length * PANE_MIN_HEIGHT + 28);
  return (
    <figure
      ref={container}
      className="chart-view"
      aria-label={label}
      // A phone on its side shows the whole chart below the header.
      style={{
        height:
          layout === "stacked" ? stackedHeight : `min(${height}px, max(${LOW_HEIGHT}px, 100svh - 9rem))`,
      }}
    />
  );
}
