import {
  customSeriesDefaultOptions,
  type ICustomSeriesPaneRenderer,
  type ICustomSeriesPaneView,
  type PaneRendererCustomData,
  type Time,
  type WhitespaceData,
} from "lightweight-charts";
import { type BandPoint, isBandPoint } from "./band-point.ts";
import type { BandSeriesOptions } from "./band-series.ts";
import { drawnBars } from "./drawn-bars.ts";

/** Minimum bar height, CSS px: keeps a bucket with a moment of opening visible. */
const LEAST_HEIGHT = 3;

/** Height of the line for "closed", CSS px. */
const CLOSED_HEIGHT = 1;

type Target = Parameters<ICustomSeriesPaneRenderer["draw"]>[0];
type ToY = Parameters<ICustomSeriesPaneRenderer["draw"]>[1];

/**
 * Draw open/closed fields as bars: their height is the share of the bucket's time open. A thin line means
 * closed; no mark means unknown.
 */
export function createOpenSeries(): ICustomSeriesPaneView<Time, BandPoint, BandSeriesOptions> {
  let data: PaneRendererCustomData<Time, BandPoint> | null = null;
  let color = "";

  const draw = (target: Target, toY: ToY) =>
    target.useMediaCoordinateSpace(({ context }) => {
      if (data === null) return;
      const { barSpacing } = data;
      const foot = toY(0) ?? 0;
      context.fillStyle = color;
      for (const bar of drawnBars(data)) {
        const open = bar.originalData.avg;
        const left = bar.x - barSpacing / 2;
        if (open <= 0) {
          context.globalAlpha = 0.5;
          context.fillRect(left, foot - CLOSED_HEIGHT, barSpacing + 0.5, CLOSED_HEIGHT);
          continue;
        }
        const height = Math.max(LEAST_HEIGHT, foot - (toY(open) ?? foot));
        context.globalAlpha = 1;
        context.fillRect(left, foot - height, barSpacing + 0.5, height);
      }
      context.globalAlpha = 1;
    });

  return {
    renderer: () => ({ draw }),
    update(next, options) {
      data = next;
      color = options.color;
    },
    priceValueBuilder: ({ avg }) => [0, 1, avg],
    isWhitespace: (point): point is WhitespaceData => !isBandPoint(point),
    defaultOptions: () => ({ ...customSeriesDefaultOptions, lineWidth: 2, dashes: [], bandOpacity: 1 }),
    destroy() {
      data = null;
    },
  };
}
