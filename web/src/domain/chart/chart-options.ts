import { type ChartOptions, ColorType, CrosshairMode, type DeepPartial, LineStyle } from "lightweight-charts";
import type { ChartColors } from "./chart-colors.ts";
import type { ChartSettings } from "./chart-model.ts";
import type { TimeLabels } from "./time-labels.ts";

/**
 * Return the library's options for our settings. Wheel and vertical drags stay with the page; a mouse's drag
 * selects a range (`chart-zoom.ts`).
 */
export function chartOptions(
  settings: ChartSettings,
  colors: ChartColors,
  labels: TimeLabels,
): DeepPartial<ChartOptions> {
  const { language, step, layout } = settings;
  const line = { color: colors.crosshair, labelBackgroundColor: colors.label, style: LineStyle.Dashed };
  return {
    autoSize: true,
    layout: {
      background: { type: ColorType.Solid, color: "transparent" },
      textColor: colors.text,
      fontFamily: colors.font,
      fontSize: colors.fontSize,
      // Required by the licence.
      attributionLogo: true,
      panes: { separatorColor: colors.axis, separatorHoverColor: "transparent", enableResize: false },
    },
    grid: { vertLines: { color: colors.grid }, horzLines: { color: colors.grid } },
    crosshair: {
      mode: CrosshairMode.Magnet,
      vertLine: line,
      horzLine: { ...line, visible: false, labelVisible: false },
    },
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.1, bottom: 0.08 }, entireTextOnly: true },
    leftPriceScale: { borderVisible: false, scaleMargins: { top: 0.1, bottom: 0.08 }, entireTextOnly: true },
    overlayPriceScales: { scaleMargins: { top: 0.1, bottom: 0.08 } },
    timeScale: {
      borderColor: colors.axis,
      // The default of 0.5 px hides buckets if more than two per pixel must fit.
      minBarSpacing: 0.01,
      timeVisible: true,
      secondsVisible: step < 60,
      fixLeftEdge: true,
      // The library's right edge is the last bar with data. With a fixed edge, silence up to now would be
      // invisible.
      fixRightEdge: false,
      rightOffsetPixels: colors.endRoom,
      lockVisibleTimeRangeOnResize: true,
      tickMarkFormatter: labels.tick,
    },
    localization: { locale: language, timeFormatter: labels.crosshair },
    handleScroll: { mouseWheel: false, pressedMouseMove: false, horzTouchDrag: true, vertTouchDrag: false },
    handleScale: { mouseWheel: false, pinch: true, axisPressedMouseMove: layout === "overlay" },
  };
}
