import {
  type ChartOptions,
  ColorType,
  CrosshairMode,
  type DeepPartial,
  LineStyle,
  TickMarkType,
  type Time,
} from "lightweight-charts";
import { type ChartSettings, type SeriesColor, seriesColorVar } from "./chart-model.ts";

const dateOf = (time: Time): Date => new Date(typeof time === "number" ? time * 1000 : Number.NaN);

/**
 * Create the labels of a chart's time axis. Times are wall-clock seconds, already shifted and read as UTC.
 *
 * @param step seconds between buckets
 */
export function createTimeLabels(language: string, step: number) {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { timeZone: "UTC", hourCycle: "h23", ...options });
  const time: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" };
  const full = format({
    ...time,
    month: "short",
    day: "numeric",
    weekday: "short",
    ...(step < 60 ? { second: "2-digit" } : {}),
  });
  const ticks: Readonly<Record<TickMarkType, Intl.DateTimeFormat>> = {
    [TickMarkType.Year]: format({ year: "numeric" }),
    [TickMarkType.Month]: format({ month: "short" }),
    [TickMarkType.DayOfMonth]: format({ month: "numeric", day: "numeric" }),
    [TickMarkType.Time]: format(time),
    [TickMarkType.TimeWithSeconds]: format({ ...time, second: "2-digit" }),
  };
  return {
    /** Return the label under the axis, as short as the kind of mark allows. */
    tick: (at: Time, kind: TickMarkType): string => ticks[kind].format(dateOf(at)),
    /** Return date and time at the crosshair, with seconds for buckets under a minute. */
    crosshair: (at: Time): string => full.format(dateOf(at)),
  };
}

/** Design tokens that a canvas needs as resolved colours. */
export type ChartColors = ReturnType<typeof readChartColors>;

/** Half of the widest time label, in letter sizes. */
const END_ROOM = 1.75;

/** Read the tokens as they are on an element now. Call again when the colour mode changes. */
export function readChartColors(element: Element) {
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
    /** Colour of running water. */
    flow: read("--mk-colors-flow"),
    /** Background of the chart. */
    panel: read("--mk-colors-bg-panel"),
    font: style.fontFamily,
    fontSize,
    /** Line width factor relative to a desktop reader. */
    lineScale: Number.parseFloat(read("--chart-line-scale")) || 1,
    /** Free space at the right end, px: half of the widest time label, or the last one is cut off. */
    endRoom: Math.round(fontSize * END_ROOM),
    series: (color: SeriesColor): string => read(seriesColorVar(color)),
  };
}

/**
 * Return the library's options for our settings. Wheel and vertical drags stay with the page; a mouse's drag
 * selects a range (`chart-zoom.ts`).
 */
export function chartOptions(settings: ChartSettings, colors: ChartColors): DeepPartial<ChartOptions> {
  const { language, step, layout } = settings;
  const labels = createTimeLabels(language, step);
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
