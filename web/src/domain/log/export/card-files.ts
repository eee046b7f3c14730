import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { fixed } from "@mulkko/shared/rules/format";
import type { Bucket } from "../../chart/bucket.ts";
import { dashesOf, type SeriesColor, seriesColorVar } from "../../chart/chart-model.ts";

/** Line of a chart with its label. */
export interface LabelledLine {
  readonly id: string;
  readonly label: string;
  readonly field: FieldSpec;
  readonly color: SeriesColor;
  /** Number of lines before it on the card with the same colour. */
  readonly turn: number;
}

/** Value column. */
interface CsvColumn {
  readonly head: string;
  readonly buckets: readonly Bucket[];
  readonly field: Pick<FieldSpec, "decimals" | "scale">;
}

/** Excel recognizes UTF-8 by it. */
const BYTE_ORDER_MARK = "\ufeff";
const LINE_END = "\r\n";

/** Escape a field according to RFC 4180. A text that Excel would read as a formula gets a leading quote. */
function fieldOf(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Write the means of a chart's buckets: a date `YYYY/MM/DD HH:mm:ss` and a value for each line. Buckets
 * without any value are left out.
 *
 * @param dateHead heading of the first column
 * @param time formats an instant (ms UTC) as `YYYY-MM-DD HH:mm:ss`
 */
export function csvOf(
  dateHead: string,
  columns: readonly CsvColumn[],
  time: (instant: number) => string,
): string {
  const byTime = columns.map(({ buckets }) => new Map(buckets.map((bucket) => [bucket.t, bucket.avg])));
  const times = [...new Set(byTime.flatMap((values) => [...values.keys()]))].sort((a, b) => a - b);
  const lines = [[dateHead, ...columns.map(({ head }) => head)].map(fieldOf).join(",")];
  for (const t of times) {
    const values = columns.map(({ field: { decimals, scale = 1 } }, index) => {
      const avg = byTime[index]?.get(t) ?? null;
      return avg === null ? "" : fixed(avg * scale, decimals);
    });
    if (values.every((value) => value === "")) continue;
    lines.push([time(t * 1000).replaceAll("-", "/"), ...values].map(fieldOf).join(","));
  }
  return BYTE_ORDER_MARK + lines.join(LINE_END) + LINE_END;
}

/** CSS px: height above the chart with one row of legend, and of each further row. */
const HEAD = 56;
const ROW = 22;
const PADDING = 16;
/** CSS px for the colour mark before a legend entry. */
const MARK = 20;

interface PictureTexts {
  readonly title: string;
  /** Below the title: range and units. */
  readonly note: string;
  readonly lines: readonly Pick<LabelledLine, "label" | "color" | "turn">[];
}

/** Position of a legend entry: CSS px from the left edge, and its row from 0. */
interface LegendPlace {
  readonly x: number;
  readonly row: number;
}

/**
 * Place the entries of a legend after a note, and in further rows if needed.
 *
 * @param widths of the entries' texts, CSS px
 * @param note width of the note, CSS px
 * @param width of the picture, CSS px
 */
export function legendPlaces(widths: readonly number[], note: number, width: number): LegendPlace[] {
  let x = PADDING + note + 2 * PADDING;
  let row = 0;
  return widths.map((texts) => {
    if (x > PADDING && x + MARK + texts + PADDING > width) {
      x = PADDING;
      row += 1;
    }
    const place = { x, row };
    x += MARK + texts + PADDING;
    return place;
  });
}

/** Render the chart with its panel colour, name, range and legend as a PNG. */
export function pictureOf(chart: HTMLCanvasElement, texts: PictureTexts): Promise<Blob> {
  const scale = window.devicePixelRatio || 1;
  const style = getComputedStyle(document.documentElement);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser draws no pictures");
  const { fontFamily } = getComputedStyle(document.body);
  const small = `13px ${fontFamily}`;
  context.font = small;
  const widths = texts.lines.map(({ label }) => context.measureText(label).width);
  const whole = chart.width / scale + 2 * PADDING;
  const places = legendPlaces(widths, context.measureText(texts.note).width, whole);
  const head = HEAD + ROW * (places.at(-1)?.row ?? 0);
  // Resizing a canvas resets its font.
  canvas.width = chart.width + 2 * PADDING * scale;
  canvas.height = chart.height + (head + 2 * PADDING) * scale;
  context.fillStyle = read("--mk-colors-bg-panel");
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(chart, PADDING * scale, (head + PADDING) * scale);
  context.scale(scale, scale);
  context.textBaseline = "top";
  context.fillStyle = read("--mk-colors-fg");
  context.font = `600 17px ${fontFamily}`;
  context.fillText(texts.title, PADDING, PADDING);
  context.font = small;
  context.fillStyle = read("--mk-colors-fg-muted");
  context.fillText(texts.note, PADDING, PADDING + 26);
  for (const [index, { label, color, turn }] of texts.lines.entries()) {
    const { x, row } = places[index] ?? { x: PADDING, row: 0 };
    const top = PADDING + 26 + row * ROW;
    context.strokeStyle = read(seriesColorVar(color));
    context.lineWidth = 3;
    context.setLineDash([...dashesOf(turn)]);
    context.beginPath();
    context.moveTo(x, top + 7.5);
    context.lineTo(x + 14, top + 7.5);
    context.stroke();
    context.fillStyle = read("--mk-colors-fg");
    context.fillText(label, x + MARK, top);
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) resolve(blob);
      else reject(new Error("the picture was not made"));
    }, "image/png");
  });
}
