import type { CustomBarItemData, PaneRendererCustomData, Time } from "lightweight-charts";
import type { BandPoint } from "./band-point.ts";

/** A bar with its position relative to the window, CSS px; outside the window for the neighbours. */
export type DrawnBar = CustomBarItemData<Time, BandPoint>;

/**
 * Return the bars to draw: those in the window and one on either side, so that a line reaches the edge. The
 * library updates positions only inside the window. Bars are equally spaced, so the others follow from one
 * inside.
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
