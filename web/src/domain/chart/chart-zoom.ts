import type { IChartApi, LogicalRange } from "lightweight-charts";

/** Minimum width of a selection, CSS px; a shorter drag is a click. */
const SELECTION_PX = 8;
/** Share of the range by which one notch of the wheel zooms or moves it. */
const NOTCH = 0.2;
/** Minimum number of buckets in view. */
const BUCKETS_MIN = 3;

/** Return a range zoomed around a place in it; `by` below 0 zooms in. The result keeps `BUCKETS_MIN` buckets. */
export function zoomed(
  { from, to }: { from: number; to: number },
  around: number,
  by: number,
): { from: number; to: number } {
  const length = Math.max(BUCKETS_MIN, (to - from) * (1 + by));
  const share = (around - from) / (to - from);
  return { from: around - length * share, to: around + length * (1 - share) };
}

/**
 * Let a mouse select a range of a chart: dragging marks it, Ctrl (or ⌘) with the wheel zooms, Shift with the
 * wheel moves. Touch keeps the library's own gestures, and the wheel alone scrolls the page.
 *
 * @param onZoom called with the new range, in buckets
 * @returns a function that stops watching
 */
export function watchZoom(
  container: HTMLElement,
  chart: IChartApi,
  onZoom: (range: { from: number; to: number }) => void,
): () => void {
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
  const draw = (x: number) => {
    if (start === null) return;
    mark.hidden = Math.abs(x - start) < SELECTION_PX;
    mark.style.left = `${Math.min(start, x) + chart.priceScale("left").width()}px`;
    mark.style.width = `${Math.abs(x - start)}px`;
    mark.style.bottom = `${chart.timeScale().height()}px`;
  };
  const clamped = (event: MouseEvent): number => {
    const x = event.clientX - container.getBoundingClientRect().left - chart.priceScale("left").width();
    return Math.min(Math.max(0, x), chart.timeScale().width());
  };
  const down = (event: PointerEvent) => {
    if (event.pointerType !== "mouse" || event.button !== 0) return;
    start = placeOf(event);
  };
  const moved = (event: PointerEvent) => {
    if (start !== null) draw(clamped(event));
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
    const range: LogicalRange | null = chart.timeScale().getVisibleLogicalRange();
    const x = placeOf(event);
    if ((!zooms && !event.shiftKey) || range === null || x === null) return;
    event.preventDefault();
    const notch = Math.sign(event.deltaY || event.deltaX) * NOTCH;
    const around = chart.timeScale().coordinateToLogical(x) ?? range.from;
    const by = notch * (range.to - range.from);
    onZoom(zooms ? zoomed(range, around, notch) : { from: range.from + by, to: range.to + by });
  };
  // Before the library, which stops the event.
  container.addEventListener("pointerdown", down, { capture: true });
  window.addEventListener("pointermove", moved);
  window.addEventListener("pointerup", up);
  window.addEventListener("pointercancel", cancel);
  window.addEventListener("keydown", cancelByKey);
  container.addEventListener("wheel", wheel, { passive: false, capture: true });
  return () => {
    container.removeEventListener("pointerdown", down, { capture: true });
    window.removeEventListener("pointermove", moved);
    window.removeEventListener("pointerup", up);
    window.removeEventListener("pointercancel", cancel);
    window.removeEventListener("keydown", cancelByKey);
    container.removeEventListener("wheel", wheel, { capture: true });
    mark.remove();
  };
}
