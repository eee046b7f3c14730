import { type SeriesColor, seriesColorVar } from "./series-colors.ts";

/** Design tokens that a canvas needs as resolved colours. */
export interface ChartColors {
  text: string;
  grid: string;
  axis: string;
  crosshair: string;
  label: string;
  /** Colour of running water. */
  flow: string;
  /** Background of the chart. */
  panel: string;
  font: string;
  fontSize: number;
  /** Free space at the right end, px. Without it the last time label is cut off. */
  endRoom: number;
  /** Line width factor relative to a desktop reader. */
  lineScale: number;
  series(color: SeriesColor): string;
}

/** Read the tokens as they are on an element now. Call again when the colour mode changes. */
export function readChartColors(element: Element): ChartColors {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  return {
    text: read("--mk-colors-fg-muted"),
    grid: read("--mk-colors-bg-sunk"),
    axis: read("--mk-colors-border"),
    crosshair: read("--mk-colors-border-strong"),
    label: read("--mk-colors-fg"),
    flow: read("--mk-colors-flow"),
    panel: read("--mk-colors-bg-panel"),
    font: style.fontFamily,
    // A wall is read from a distance.
    fontSize: Number.parseFloat(read("--chart-font-size")) || 12,
    lineScale: Number.parseFloat(read("--chart-line-scale")) || 1,
    endRoom: Number.parseFloat(read("--chart-end-room")) || 0,
    series: (color) => read(seriesColorVar(color)),
  };
}
