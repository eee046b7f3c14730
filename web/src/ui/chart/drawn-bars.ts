import type { CustomBarItemData, PaneRendererCustomData, Time } from "lightweight-charts";
import type { BandPoint } from "./band-point.ts";

/** A bar with its place in the window, CSS px; outside of the window where it is one beside it. */
export type DrawnBar = CustomBarItemData<Time, BandPoint>;

/**
 * Bars to draw: those in the window and one on either side, so that a line goes on to the edge. The library places
 * only those in the window, and leaves the others where they stood in an earlier one: bars are equally spaced, so
 * that their places follow from one that is in the window.
 */
export function drawnBars(
  data: Pick<PaneRendererCustomData<Time, BandPoint>, "bars" | "barSpacing" | "visibleRange">,
): DrawnBar[] {
  const { bars, barSpacing, visibleRange } = data;
  if (visibleRange === null || visibleRange.from >= visibleRange.to) return [];
  const placed = bars[visibleRange.from];
  if (placed === undefined) return [];
  return bars
    .slice(Math.max(0, visibleRange.from - 1), visibleRange.to + 1)
    .map((bar) => ({ ...bar, x: placed.x + (bar.time - placed.time) * barSpacing }));
}
