import { type SeriesColor, seriesColorVar } from "./series-colors.ts";

/** The tokens that a canvas needs as plain colours. */
export interface ChartColors {
  text: string;
  grid: string;
  axis: string;
  crosshair: string;
  label: string;
  /** Water that runs. */
  flow: string;
  /** What the chart stands on. */
  panel: string;
  font: string;
  fontSize: number;
  /** Free px at the right end: the last time under it is cut without. */
  endRoom: number;
  /** How many times thicker than for a reader at a desk lines are. */
  lineScale: number;
  series(color: SeriesColor): string;
}

/** Reads the tokens as they are on an element now; read again when the colour mode changes. */
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
    // A wall is read from afar.
    fontSize: Number.parseFloat(read("--chart-font-size")) || 12,
    lineScale: Number.parseFloat(read("--chart-line-scale")) || 1,
    endRoom: Number.parseFloat(read("--chart-end-room")) || 0,
    series: (color) => read(seriesColorVar(color)),
  };
}
