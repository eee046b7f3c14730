import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef } from "react";
import { useColorMode } from "../theme/color-mode.ts";
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

/** For what changes more often than a page is drawn. */
export interface ChartHandle {
  mergeBuckets(id: string, buckets: readonly Bucket[]): void;
  /** @returns what stands at that instant */
  showCrosshair(instant: number | null): CrosshairReading | null;
  showRange(range: ViewedRange): void;
  fit(): void;
  /** The chart as it stands, device pixels; null while there is none. */
  picture(): HTMLCanvasElement | null;
}

export interface ChartViewProps {
  series: readonly ChartSeries[];
  /** By series id; a new object replaces the data. Live buckets come in through the handle. */
  buckets: Readonly<Record<string, readonly Bucket[]>>;
  /** Seconds between buckets. */
  step: number;
  /** IANA zone of the account. */
  zone: string;
  language: string;
  layout: ChartLayout;
  /** All lines are of one measurement and have one axis. */
  sharedAxis?: boolean;
  /** The series with the right axis. */
  promoted?: string | null;
  ranges?: Readonly<Record<string, YRange | null>>;
  /** What is drawn behind lines, by series id; an object that stays the same while it does. */
  marks?: Readonly<Record<string, ChartMarks>>;
  /** CSS px; a stacked chart grows to at least 96 a pane. */
  height: number;
  /** What the chart shows, for those who do not see it. */
  label: string;
  onCrosshair?: (reading: CrosshairReading | null) => void;
  /** A person has moved the chart to another stretch. */
  onRange?: (range: ViewedRange) => void;
  /** A finger has swiped to another line: 1 to the next, -1 to the one before. Without it a swipe moves the chart. */
  onSwipe?: (step: -1 | 1) => void;
  ref?: Ref<ChartHandle>;
}

const PANE_MIN_HEIGHT = 96;

const NO_MARKS: ChartMarks = { waterings: [], bounds: null };

/** Lines as bands with real gaps. A thin shell: the controller does the work, once constructed, until unmount. */
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
  const latest = useRef({ settings, onCrosshair, onRange, onSwipe });

  useLayoutEffect(() => {
    latest.current = { settings, onCrosshair, onRange, onSwipe };
  });
  useLayoutEffect(() => {
    if (container.current === null) return;
    const created = createChartController(
      container.current,
      latest.current.settings,
      (reading) => latest.current.onCrosshair?.(reading),
      (range) => latest.current.onRange?.(range),
      (step) => latest.current.onSwipe?.(step),
    );
    controller.current = created;
    return () => {
      controller.current = null;
      created.dispose();
    };
    // Constructed once; the effects below carry every later change.
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
    fit: () => controller.current?.fit(),
    picture: () => controller.current?.picture() ?? null,
  }));

  const stackedHeight = Math.max(height, series.length * PANE_MIN_HEIGHT + 28);
  return (
    <figure
      ref={container}
      className="chart-view"
      aria-label={label}
      style={{ height: layout === "stacked" ? stackedHeight : height }}
    />
  );
}
