import type { IPrimitivePaneRenderer, ISeriesPrimitive, Time } from "lightweight-charts";
import type { ChartMarks } from "./chart-model.ts";
import type { ChartColors } from "./chart-options.ts";

type Target = Parameters<IPrimitivePaneRenderer["draw"]>[0];

/** Height of the bars at the foot of a pane, in the margin under the lines, CSS px. */
const BAR_HEIGHT = 14;

/** Minimum bar width, CSS px: keeps a watering of seconds visible in a month's chart. */
const LEAST_WIDTH = 2;

/** Width of one letter, CSS px. */
const LETTER_WIDTH = 12;

const HATCH_STEP = 8;

/** Current values of the chart that the marks belong to, and places on it. */
interface MarksPlace {
  marks(): ChartMarks;
  colors(): ChartColors;
  /** x of an instant (unix seconds), CSS px; null while the chart has no data. */
  toX(instant: number): number | null;
  /** y of a value of the line, CSS px. */
  toY(value: number): number | null;
}

/**
 * Draw waterings as blue bars at the foot, and the automatic mode's bounds as dashed lines, hatched outside.
 */
export function createChartMarks(place: MarksPlace): ISeriesPrimitive<Time> {
  const drawBounds = (context: CanvasRenderingContext2D, width: number, height: number) => {
    const { bounds } = place.marks();
    if (bounds === null) return;
    const colors = place.colors();
    const hatch = (top: number, bottom: number) => {
      context.save();
      context.beginPath();
      context.rect(0, top, width, bottom - top);
      context.clip();
      context.globalAlpha = 0.16;
      context.beginPath();
      for (let x = -height; x < width; x += HATCH_STEP) {
        context.moveTo(x, bottom);
        context.lineTo(x + (bottom - top), top);
      }
      context.stroke();
      context.restore();
    };
    context.strokeStyle = colors.text;
    context.lineWidth = 1;
    for (const [value, isLower] of [
      [bounds.lower, true],
      [bounds.upper, false],
    ] as const) {
      const y = value === null ? null : place.toY(value);
      if (y === null) continue;
      context.setLineDash([6, 4]);
      context.beginPath();
      context.moveTo(0, y);
      context.lineTo(width, y);
      context.stroke();
      context.setLineDash([]);
      if (isLower && y < height) hatch(Math.max(0, y), height);
      if (!isLower && y > 0) hatch(0, Math.min(height, y));
    }
  };
  const drawWaterings = (context: CanvasRenderingContext2D, width: number, height: number) => {
    const colors = place.colors();
    context.font = `600 10px ${colors.font}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const { from, to, letter } of place.marks().waterings) {
      const [left, right] = [place.toX(from), place.toX(to)];
      if (left === null || right === null || right < 0 || left > width) continue;
      const wide = Math.max(LEAST_WIDTH, right - left);
      context.fillStyle = colors.flow;
      context.globalAlpha = 0.12;
      context.fillRect(left, 0, wide, height - BAR_HEIGHT);
      context.globalAlpha = 1;
      context.fillRect(left, height - BAR_HEIGHT, wide, BAR_HEIGHT);
      if (wide < LETTER_WIDTH) continue;
      context.fillStyle = colors.panel;
      context.fillText(letter, left + wide / 2, height - BAR_HEIGHT / 2);
    }
  };
  const draw = (target: Target) =>
    target.useMediaCoordinateSpace(({ context, mediaSize: { width, height } }) => {
      context.save();
      drawBounds(context, width, height);
      drawWaterings(context, width, height);
      context.restore();
    });
  const views = [{ zOrder: () => "bottom" as const, renderer: () => ({ draw }) }];
  return { paneViews: () => views };
}
