import {
  type CustomSeriesOptions,
  customSeriesDefaultOptions,
  type ICustomSeriesPaneRenderer,
  type ICustomSeriesPaneView,
  type PaneRendererCustomData,
  type PriceToCoordinateConverter,
  type Time,
  type WhitespaceData,
} from "lightweight-charts";
import { type BandPoint, isBandPoint } from "./band-point.ts";
import { type DrawnBar, drawnBars } from "./drawn-bars.ts";

export interface BandSeriesOptions extends CustomSeriesOptions {
  /** Width of the mean line, CSS px. */
  lineWidth: number;
  /** Dash and gap lengths of the mean line, CSS px; empty for a solid line. */
  dashes: readonly number[];
  /** Opacity of the band between minimum and maximum. */
  bandOpacity: number;
}

type Target = Parameters<ICustomSeriesPaneRenderer["draw"]>[0];

/** Split bars into stretches without a gap. */
function runs(data: PaneRendererCustomData<Time, BandPoint>): DrawnBar[][] {
  const found: DrawnBar[][] = [];
  for (const bar of drawnBars(data)) {
    const run = found.at(-1);
    if (run === undefined || bar.originalData.begins) found.push([bar]);
    else run.push(bar);
  }
  return found;
}

/**
 * Draw a minimum–maximum band with the mean as a line and with real gaps. The library's own line series would
 * bridge gaps. Buckets are regular, so equal distances are equal times.
 */
export function createBandSeries(): ICustomSeriesPaneView<Time, BandPoint, BandSeriesOptions> {
  let data: PaneRendererCustomData<Time, BandPoint> | null = null;
  let options: BandSeriesOptions | null = null;

  const draw = (target: Target, toY: PriceToCoordinateConverter) =>
    target.useMediaCoordinateSpace(({ context }) => {
      if (data === null || options === null) return;
      context.fillStyle = options.color;
      context.strokeStyle = options.color;
      context.lineWidth = options.lineWidth;
      context.lineJoin = "round";
      context.lineCap = "round";
      for (const run of runs(data)) {
        const [first] = run;
        if (first === undefined) continue;
        const y = (price: number): number => toY(price) ?? 0;
        if (run.length === 1) {
          // A single bucket: draw its span as a bar and its mean as a dot.
          context.globalAlpha = options.bandOpacity * 2;
          const top = y(first.originalData.max);
          context.fillRect(first.x - 1.5, top, 3, y(first.originalData.min) - top);
          context.globalAlpha = 1;
          context.beginPath();
          context.arc(first.x, y(first.originalData.avg), options.lineWidth, 0, 2 * Math.PI);
          context.fill();
          continue;
        }
        context.globalAlpha = options.bandOpacity;
        context.beginPath();
        for (const bar of run) context.lineTo(bar.x, y(bar.originalData.max));
        for (const bar of [...run].reverse()) context.lineTo(bar.x, y(bar.originalData.min));
        context.fill();
        context.globalAlpha = 1;
        context.beginPath();
        for (const bar of run) context.lineTo(bar.x, y(bar.originalData.avg));
        context.setLineDash([...options.dashes]);
        context.stroke();
        context.setLineDash([]);
      }
    });

  return {
    renderer: () => ({ draw }),
    update(next, nextOptions) {
      data = next;
      options = nextOptions;
    },
    priceValueBuilder: ({ min, max, avg }) => [min, max, avg],
    isWhitespace: (point): point is WhitespaceData => !isBandPoint(point),
    defaultOptions: () => ({ ...customSeriesDefaultOptions, lineWidth: 2, dashes: [], bandOpacity: 0.18 }),
    destroy() {
      data = null;
      options = null;
    },
  };
}
