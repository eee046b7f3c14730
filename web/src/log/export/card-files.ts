import { seriesColorVar } from "../../ui/chart/series-colors.ts";
import { fileName } from "./file-names.ts";

/** The name of a chart's file: its device, and what it shows. */
export function chartFileName(device: string, title: string): string {
  return fileName(device === title ? device : `${device}-${title}`);
}

/** Of a picture, CSS px: what stands over the chart without further rows of its legend, and each of these. */
const HEAD = 56;
const ROW = 22;
const PADDING = 16;
/** Before a legend's word: its colour. */
const MARK = 20;

export interface PictureWords {
  readonly title: string;
  /** Under the title: the range, units. */
  readonly note: string;
  readonly lines: readonly { readonly label: string; readonly color: string }[];
}

/** Where an entry of a legend stands: CSS px from the left edge, and in which row, from 0. */
export interface LegendPlace {
  readonly x: number;
  readonly row: number;
}

/**
 * Places the entries of a legend behind a note, and in further rows what has no room there.
 *
 * @param widths of the entries' words, CSS px
 * @param note width of the note, CSS px
 * @param width of the picture, CSS px
 */
export function legendPlaces(widths: readonly number[], note: number, width: number): LegendPlace[] {
  let x = PADDING + note + 2 * PADDING;
  let row = 0;
  return widths.map((words) => {
    if (x > PADDING && x + MARK + words + PADDING > width) {
      x = PADDING;
      row += 1;
    }
    const place = { x, row };
    x += MARK + words + PADDING;
    return place;
  });
}

/** The chart on its panel's colour with its name, its range and its lines in words, as a PNG. */
export function pictureOf(chart: HTMLCanvasElement, words: PictureWords): Promise<Blob> {
  const scale = window.devicePixelRatio || 1;
  const style = getComputedStyle(document.documentElement);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser draws no pictures");
  const { fontFamily } = getComputedStyle(document.body);
  const small = `13px ${fontFamily}`;
  context.font = small;
  const widths = words.lines.map(({ label }) => context.measureText(label).width);
  const whole = chart.width / scale + 2 * PADDING;
  const places = legendPlaces(widths, context.measureText(words.note).width, whole);
  const head = HEAD + ROW * (places.at(-1)?.row ?? 0);
  // A canvas that changes its size forgets its font.
  canvas.width = chart.width + 2 * PADDING * scale;
  canvas.height = chart.height + (head + 2 * PADDING) * scale;
  context.fillStyle = read("--mk-colors-bg-panel");
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(chart, PADDING * scale, (head + PADDING) * scale);
  context.scale(scale, scale);
  context.textBaseline = "top";
  context.fillStyle = read("--mk-colors-fg");
  context.font = `600 17px ${fontFamily}`;
  context.fillText(words.title, PADDING, PADDING);
  context.font = small;
  context.fillStyle = read("--mk-colors-fg-muted");
  context.fillText(words.note, PADDING, PADDING + 26);
  for (const [index, { label, color }] of words.lines.entries()) {
    const { x, row } = places[index] ?? { x: PADDING, row: 0 };
    const top = PADDING + 26 + row * ROW;
    context.fillStyle = color;
    context.fillRect(x, top + 6, 14, 3);
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

/** A series' colour as the page shows it now. */
export function shownColor(color: Parameters<typeof seriesColorVar>[0]): string {
  return getComputedStyle(document.documentElement).getPropertyValue(seriesColorVar(color)).trim();
}
