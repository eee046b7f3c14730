import { seriesColorVar } from "../../ui/chart/series-colors.ts";
import { fileName } from "./file-names.ts";

/** The name of a chart's file: its device, and what it shows. */
export function chartFileName(device: string, title: string): string {
  return fileName(device === title ? device : `${device}-${title}`);
}

/** Height of the words above a picture, CSS px. */
const HEAD = 56;
const PADDING = 16;

export interface PictureWords {
  readonly title: string;
  /** Under the title: the range, units. */
  readonly note: string;
  readonly lines: readonly { readonly label: string; readonly color: string }[];
}

/** The chart on its panel's colour with its name, its range and its lines in words, as a PNG. */
export function pictureOf(chart: HTMLCanvasElement, words: PictureWords): Promise<Blob> {
  const scale = window.devicePixelRatio || 1;
  const style = getComputedStyle(document.documentElement);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  const canvas = document.createElement("canvas");
  canvas.width = chart.width + 2 * PADDING * scale;
  canvas.height = chart.height + (HEAD + 2 * PADDING) * scale;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser draws no pictures");
  context.fillStyle = read("--mk-colors-bg-panel");
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(chart, PADDING * scale, (HEAD + PADDING) * scale);
  context.scale(scale, scale);
  const { fontFamily } = getComputedStyle(document.body);
  context.textBaseline = "top";
  context.fillStyle = read("--mk-colors-fg");
  context.font = `600 17px ${fontFamily}`;
  context.fillText(words.title, PADDING, PADDING);
  context.font = `13px ${fontFamily}`;
  context.fillStyle = read("--mk-colors-fg-muted");
  context.fillText(words.note, PADDING, PADDING + 26);
  let x = PADDING + context.measureText(words.note).width + 2 * PADDING;
  for (const { label, color } of words.lines) {
    context.fillStyle = color;
    context.fillRect(x, PADDING + 32, 14, 3);
    context.fillStyle = read("--mk-colors-fg");
    context.fillText(label, x + 20, PADDING + 26);
    x += 20 + context.measureText(label).width + PADDING;
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
