import { type SeriesColor, seriesColorVar } from "./series-colors.ts";

/** The tokens that a canvas needs as plain colours. */
export interface ChartColors {
  text: string;
  grid: string;
  axis: string;
  crosshair: string;
  label: string;
  font: string;
  fontSize: number;
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
    font: style.fontFamily,
    fontSize: 12,
    series: (color) => read(seriesColorVar(color)),
  };
}
