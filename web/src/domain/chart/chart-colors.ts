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
  /** Free space at the right end, px: half of the widest time label, or the last one is cut off. */
  endRoom: number;
  /** Line width factor relative to a desktop reader. */
  lineScale: number;
  series(color: SeriesColor): string;
}

/** Half of the widest time label, in letter sizes. */
const END_ROOM = 1.75;

/** Read the tokens as they are on an element now. Call again when the colour mode changes. */
export function readChartColors(element: Element): ChartColors {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  // A wall is read from a distance.
  const fontSize = Number.parseFloat(read("--chart-font-size")) || 12;
  return {
    text: read("--mk-colors-fg-muted"),
    grid: read("--mk-colors-bg-sunk"),
    axis: read("--mk-colors-border"),
    crosshair: read("--mk-colors-border-strong"),
    label: read("--mk-colors-fg"),
    flow: read("--mk-colors-flow"),
    panel: read("--mk-colors-bg-panel"),
    font: style.fontFamily,
    fontSize,
    lineScale: Number.parseFloat(read("--chart-line-scale")) || 1,
    endRoom: Math.round(fontSize * END_ROOM),
    series: (color) => read(seriesColorVar(color)),
  };
}
