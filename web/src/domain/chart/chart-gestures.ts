import type { IChartApi } from "lightweight-charts";
import type { ViewedRange } from "./chart-model.ts";

/** Minimum distance (CSS px) and maximum duration (ms) of a swipe. A slower finger reads the crosshair. */
const FAR_PX = 48;
const WITHIN_MS = 500;
/** Minimum ratio of horizontal to vertical distance of a swipe. */
const SIDEWAYS = 1.5;

/** Position and time of a touch. */
interface TouchPoint {
  readonly x: number;
  readonly y: number;
  /** Time, ms. */
  readonly at: number;
}

/** Return the direction of a swipe: 1 for left (next), -1 for right (previous), 0 for anything else. */
export function swipeOf(from: TouchPoint, to: TouchPoint): -1 | 0 | 1 {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  if (Math.abs(dx) < FAR_PX || Math.abs(dx) < SIDEWAYS * Math.abs(dy)) return 0;
  if (to.at - from.at > WITHIN_MS) return 0;
  return dx < 0 ? 1 : -1;
}

/** Report one-finger swipes over an element until `signal`; two fingers zoom. */
export function watchSwipes(
  element: HTMLElement,
  onSwipe: (step: -1 | 1) => void,
  signal: AbortSignal,
): void {
  let from: TouchPoint | null = null;
  const touchPoint = (finger: Touch, { timeStamp }: TouchEvent): TouchPoint => ({
    x: finger.clientX,
    y: finger.clientY,
    at: timeStamp,
  });
  const start = (event: TouchEvent) => {
    const [finger, second] = event.touches;
    from = finger && !second ? touchPoint(finger, event) : null;
  };
  const end = (event: TouchEvent) => {
    const [finger] = event.changedTouches;
    const step = from && finger ? swipeOf(from, touchPoint(finger, event)) : 0;
    from = null;
    if (step !== 0) onSwipe(step);
  };
  const cancel = () => {
    from = null;
  };
  element.addEventListener("touchstart", start, { passive: true, signal });
  element.addEventListener("touchend", end, { passive: true, signal });
  element.addEventListener("touchcancel", cancel, { passive: true, signal });
}

/** Time after the last touch in which a move still counts as the user's, ms. */
const HAND_MS = 1_500;

/** Distinguish the user's moves of a chart from moves caused by new data, until `signal`. */
export function watchUserMoves(container: HTMLElement, signal: AbortSignal) {
  let lastMoveAt = Number.NEGATIVE_INFINITY;
  const touch = () => {
    lastMoveAt = performance.now();
  };
  for (const name of ["pointerdown", "pointermove", "touchmove", "dblclick"] as const)
    container.addEventListener(name, touch, { passive: true, signal });
  return {
    /** Return true while the user holds the chart or has just released it. */
    hold: () => performance.now() - lastMoveAt < HAND_MS,
    /** Treat the next move as the user's. */
    touch,
    /** Treat the next move as not the user's. */
    letGo() {
      lastMoveAt = Number.NEGATIVE_INFINITY;
    },
  };
}

/** Minimum width of a selection, CSS px; a shorter drag is a click. */
const SELECTION_PX = 8;
/** Share of the range by which one notch of the wheel zooms or moves it. */
const NOTCH = 0.2;
/** Minimum number of buckets in view. */
const BUCKETS_MIN = 3;

/** Return a range zoomed around a place in it; `by` below 0 zooms in. The result keeps `BUCKETS_MIN` buckets. */
export function zoomed({ from, to }: ViewedRange, around: number, by: number): ViewedRange {
  const length = Math.max(BUCKETS_MIN, (to - from) * (1 + by));
  const share = (around - from) / (to - from);
  return { from: around - length * share, to: around + length * (1 - share) };
}

/**
 * Let a mouse select a range of a chart: dragging marks it, Ctrl (or ⌘) with the wheel zooms, Shift with the
 * wheel moves. Touch keeps the library's own gestures, and the wheel alone scrolls the page.
 *
 * @param onZoom called with the new range, in buckets
 * @param signal ends it
 */
export function watchZoom(
  container: HTMLElement,
  chart: IChartApi,
  onZoom: (range: ViewedRange) => void,
  signal: AbortSignal,
): void {
  const mark = document.createElement("div");
  mark.className = "chart-view__selection";
  mark.hidden = true;
  container.append(mark);
  let start: number | null = null;

  /** Return a pointer's place over the plot, CSS px from its left edge; null beside it. */
  const placeOf = (event: MouseEvent): number | null => {
    const { left, top, height } = container.getBoundingClientRect();
    const x = event.clientX - left - chart.priceScale("left").width();
    const above = event.clientY - top < height - chart.timeScale().height();
    return above && x >= 0 && x <= chart.timeScale().width() ? x : null;
  };
  const clamped = (event: MouseEvent): number => {
    const x = event.clientX - container.getBoundingClientRect().left - chart.priceScale("left").width();
    return Math.min(Math.max(0, x), chart.timeScale().width());
  };
  const moved = (event: PointerEvent) => {
    if (start === null) return;
    const x = clamped(event);
    mark.hidden = Math.abs(x - start) < SELECTION_PX;
    mark.style.left = `${Math.min(start, x) + chart.priceScale("left").width()}px`;
    mark.style.width = `${Math.abs(x - start)}px`;
    mark.style.bottom = `${chart.timeScale().height()}px`;
  };
  const down = (event: PointerEvent) => {
    if (event.pointerType !== "mouse" || event.button !== 0) return;
    start = placeOf(event);
  };
  const cancel = () => {
    start = null;
    mark.hidden = true;
  };
  const up = (event: PointerEvent) => {
    if (start === null) return;
    const end = clamped(event);
    const [left, right] = [Math.min(start, end), Math.max(start, end)];
    cancel();
    if (right - left < SELECTION_PX) return;
    const from = chart.timeScale().coordinateToLogical(left);
    const to = chart.timeScale().coordinateToLogical(right);
    if (from !== null && to !== null && to > from) onZoom({ from, to });
  };
  const cancelByKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") cancel();
  };
  const wheel = (event: WheelEvent) => {
    const zooms = event.ctrlKey || event.metaKey;
    const range = chart.timeScale().getVisibleLogicalRange();
    const x = placeOf(event);
    if ((!zooms && !event.shiftKey) || range === null || x === null) return;
    event.preventDefault();
    const notch = Math.sign(event.deltaY || event.deltaX) * NOTCH;
    const around = chart.timeScale().coordinateToLogical(x) ?? range.from;
    const by = notch * (range.to - range.from);
    onZoom(zooms ? zoomed(range, around, notch) : { from: range.from + by, to: range.to + by });
  };
  // Before the library, which stops the event.
  container.addEventListener("pointerdown", down, { capture: true, signal });
  window.addEventListener("pointermove", moved, { signal });
  window.addEventListener("pointerup", up, { signal });
  window.addEventListener("pointercancel", cancel, { signal });
  window.addEventListener("keydown", cancelByKey, { signal });
  container.addEventListener("wheel", wheel, { passive: false, capture: true, signal });
  signal.addEventListener("abort", () => mark.remove());
}
