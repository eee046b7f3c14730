import "./chart-view.css";
import {
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
} from "react";
import { useColorMode } from "../../theme/color-mode.ts";
import type { Bucket } from "./bucket.ts";
import { ChartController, type ChartEvents, NO_MARKS } from "./chart-controller.ts";
import type { ChartMarks, ChartSeries, ChartSettings, YRange } from "./chart-model.ts";

export interface ChartViewProps
  extends ChartEvents,
    Pick<ChartSettings, "step" | "zone" | "language" | "layout">,
    Partial<Pick<ChartSettings, "sharedAxis">> {
  series: readonly ChartSeries[];
  /** By series id; a new object replaces the data. Live buckets arrive through the controller. */
  buckets: Readonly<Record<string, readonly Bucket[]>>;
  /** Series with the right axis. */
  promoted?: string | null;
  ranges?: Readonly<Record<string, YRange | null>>;
  /** Marks behind lines, by series id. Keep the same object while it is unchanged. */
  marks?: Readonly<Record<string, ChartMarks>>;
  /** CSS px. A stacked chart grows to at least 96 per pane. */
  height: number;
  /** Content of the chart, for screen readers. */
  label: string;
  ref?: Ref<ChartController | null>;
}

const PANE_MIN_HEIGHT = 96;

/** Minimum height of a chart in a low window, CSS px. */
const LOW_HEIGHT = 140;

/**
 * Draw lines as bands with real gaps. Thin wrapper: the controller lives from mount to unmount and does the
 * work. Its handle is for changes more frequent than a React render. Without `onSwipe` a swipe moves the chart.
 */
export default function ChartView(props: ChartViewProps) {
  const { series, buckets, step, zone, language, layout, sharedAxis = false, promoted = null } = props;
  const { ranges, marks, height, label, onSwipe, ref } = props;
  const { dark } = useColorMode();
  const swipes = onSwipe !== undefined;
  const settings = useMemo<ChartSettings>(
    () => ({ language, zone, step, layout, sharedAxis, swipes, dark }),
    [language, zone, step, layout, sharedAxis, swipes, dark],
  );
  const container = useRef<HTMLElement>(null);
  const controller = useRef<ChartController | null>(null);
  const events = useEffectEvent((): ChartEvents => props);
  const create = useEffectEvent((element: HTMLElement) => new ChartController(element, settings, events));

  useLayoutEffect(() => {
    if (container.current === null) return;
    const created = create(container.current);
    controller.current = created;
    return () => {
      controller.current = null;
      created.dispose();
    };
    // Construct once; the effects below apply every later change.
  }, []);
  useImperativeHandle<ChartController | null, ChartController | null>(ref, () => controller.current);
  useEffect(() => controller.current?.applySettings(settings), [settings]);
  useEffect(() => controller.current?.setSeries(series), [series]);
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
