import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef } from "react";
import { useColorMode } from "../theme/color-mode.ts";
import type { Bucket } from "./bucket.ts";
import { type ChartController, createChartController } from "./chart-controller.ts";
import type { ChartLayout, ChartSeries, ChartSettings, CrosshairReading, YRange } from "./chart-model.ts";
import "./chart-view.css";

/** For what changes more often than a page is drawn. */
export interface ChartHandle {
  mergeBuckets(id: string, buckets: readonly Bucket[]): void;
  showCrosshair(instant: number | null): void;
  fit(): void;
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
  /** The series with the right axis. */
  promoted?: string | null;
  ranges?: Readonly<Record<string, YRange | null>>;
  /** CSS px; a stacked chart grows to at least 96 a pane. */
  height: number;
  /** What the chart shows, for those who do not see it. */
  label: string;
  onCrosshair?: (reading: CrosshairReading | null) => void;
  ref?: Ref<ChartHandle>;
}

const PANE_MIN_HEIGHT = 96;

/** Lines as bands with real gaps. A thin shell: the controller does the work, once constructed, until unmount. */
export default function ChartView(props: ChartViewProps) {
  const {
    series,
    buckets,
    step,
    zone,
    language,
    layout,
    promoted = null,
    ranges,
    height,
    label,
    onCrosshair,
    ref,
  } = props;
  const { dark } = useColorMode();
  const settings = useMemo<ChartSettings>(
    () => ({ language, zone, step, layout, dark }),
    [language, zone, step, layout, dark],
  );
  const container = useRef<HTMLElement>(null);
  const controller = useRef<ChartController | null>(null);
  const latest = useRef({ settings, onCrosshair });

  useLayoutEffect(() => {
    latest.current = { settings, onCrosshair };
  });
  useLayoutEffect(() => {
    if (container.current === null) return;
    const created = createChartController(container.current, latest.current.settings, (reading) =>
      latest.current.onCrosshair?.(reading),
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

  useImperativeHandle(ref, () => ({
    mergeBuckets: (id, newer) => controller.current?.mergeBuckets(id, newer),
    showCrosshair: (instant) => controller.current?.showCrosshair(instant),
    fit: () => controller.current?.fit(),
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
