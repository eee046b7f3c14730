import { searchableText } from "../../../i18n/search.ts";
import type { TimeTexts } from "../../time/time-texts.ts";

/** Excel's limits for names of sheets: length, forbidden characters, and a name that it keeps for itself. */
const SHEET_NAME_LENGTH = 31;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern has to match them
const NOT_IN_SHEETS = /[[\]:*?/\\\u0000-\u001f\u007f\ufffe\uffff]/g;
const RESERVED = /^history$/i;

/** Characters forbidden in file names on some operating system, including control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern has to match them
const NOT_IN_FILES = /[<>:"/\\|?*\u0000-\u001f\u007f]/g;
const FILE_NAME_LENGTH = 120;

/** Return the beginning of a text, at most so many UTF-16 units, without half a character at its end. */
const cut = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/, "");

/** Return a name of a sheet, at most so long. Excel refuses an empty one, and quotes at an end. */
function sheetName(name: string, length: number): string {
  const trimmed = cut(name.toWellFormed().replace(NOT_IN_SHEETS, "_").trim(), length).trim();
  const unquoted = trimmed.replace(/^'+|'+$/g, "_") || "_";
  return RESERVED.test(unquoted) ? `${unquoted}_` : unquoted;
}

/**
 * Return unique names of sheets that Excel accepts, for any names: one odd name never costs the file. A second
 * `Bed 1` is `Bed 1 (2)`, also in other case or width, which Excel takes for the same.
 */
export function sheetNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    for (let count = 1; ; count += 1) {
      const ending = count === 1 ? "" : ` (${count})`;
      const candidate = sheetName(name, SHEET_NAME_LENGTH - ending.length) + ending;
      const key = searchableText([candidate]);
      if (taken.has(key)) continue;
      taken.add(key);
      return candidate;
    }
  });
}

/** Return a file name without its extension that every operating system accepts. */
export function fileName(name: string): string {
  const clean = name
    .replace(NOT_IN_FILES, "_")
    .replace(/[. ]+$/, "")
    .trim();
  return cut(clean, FILE_NAME_LENGTH) || "_";
}

/** Ranges below this length have times of day in their names, ms. */
const NAMED_BY_DAYS_MS = 36 * 3_600_000;

/** Return a range (ms UTC) as a part of a file name: its days, with the times of a short one. */
export function rangeName(from: number, to: number, { isoDay, time }: Pick<TimeTexts, "isoDay" | "time">) {
  const isLong = to - from >= NAMED_BY_DAYS_MS;
  const nameOf = (at: number) => (isLong ? isoDay(at) : `${isoDay(at)} ${time(at).replace(":", "")}`);
  return `${nameOf(from)} – ${nameOf(to)}`;
}

/** Return a file name of a device and a range; a long name is cut before it, so that two ranges differ. */
export function rangedFileName(name: string, range: string): string {
  return fileName(`${cut(fileName(name), FILE_NAME_LENGTH - range.length - 1).trim()} ${range}`);
}

/** Return the offset of a zone at an instant (ms UTC): `UTC+09:00`. */
function offsetIn(zone: string, instant: number): string {
  const format = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
  const name = format.formatToParts(instant).find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  return name === "GMT" ? "UTC+00:00" : name.replace("GMT", "UTC").replace("-", "−");
}

/**
 * Name a zone by its offsets in a range (ms UTC): `Asia/Seoul (UTC+09:00)`, both if its clock changes in
 * between.
 */
export function zoneTitle(zone: string, from: number, to: number): string {
  return `${zone} (${[...new Set([offsetIn(zone, from), offsetIn(zone, to)])].join(", ")})`;
}

/** Milliseconds for which the browser needs the file's URL after the click. */
const KEEP_MS = 60_000;

/** Download a file in the browser. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEEP_MS);
}

/** Column; its kind is the type of its cells. */
export interface SheetColumn {
  readonly head: string;
  /** `time`: text `YYYY-MM-DD HH:mm[:ss]` on the reader's clock. */
  readonly kind: "time" | "number" | "text";
}

/** Sheet, with any name. A cell that is missing, null or of another type stays empty. */
export interface Sheet {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Column whose cells are computed from a row. */
export interface RowColumn<Row> extends SheetColumn {
  value(row: Row): unknown;
}

/** Return a sheet of rows. */
export const sheetOf = <Row>(
  columns: readonly RowColumn<Row>[],
  rows: readonly Row[],
): Omit<Sheet, "name"> => ({
  columns,
  rows: rows.map((row) => columns.map(({ value }) => value(row))),
});

/** Excel's limit, including the heading. */
export const SHEET_ROWS = 1_048_576;

const TIME_FORMAT = "yyyy-mm-dd hh:mm:ss";
const TIME = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2})(?::(\d{2}))?$/;
const DAY_MS = 86_400_000;
/** Days between Excel's day 0 and 1970. */
const EPOCH_DAYS = 25_569;
const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Cell in the library's format; null for an empty one. */
export type Cell = { t: "n"; v: number; z?: string } | { t: "s"; v: string } | null;

/** Return Excel's day number of a wall time; null if malformed. */
export function excelTime(text: unknown): number | null {
  const match = typeof text === "string" ? TIME.exec(text) : null;
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1).map((part) => Number(part ?? 0));
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second) / DAY_MS + EPOCH_DAYS;
}

/** Return the cell of a value in its column. */
export function cellOf(value: unknown, { kind }: Pick<SheetColumn, "kind">): Cell {
  switch (kind) {
    case "time": {
      const days = excelTime(value);
      return days === null ? null : { t: "n", v: days, z: TIME_FORMAT };
    }
    case "number":
      return typeof value === "number" && Number.isFinite(value) ? { t: "n", v: value } : null;
    case "text":
      return value === null || value === undefined || value === "" ? null : { t: "s", v: `${value}` };
  }
}

const WIDTHS: Readonly<Record<SheetColumn["kind"], number>> = { time: 20, number: 14, text: 24 };

/**
 * Write an Excel file and download it. The library loads with the first file.
 *
 * @param fileName without its extension
 */
export async function writeWorkbook(sheets: readonly Sheet[], fileName: string): Promise<void> {
  const { utils, write } = await import("xlsx");
  const workbook = utils.book_new();
  const names = sheetNames(sheets.map(({ name }) => name));
  for (const [index, { columns, rows }] of sheets.entries()) {
    const head: Cell[] = columns.map((column) => ({ t: "s", v: column.head }));
    const cells = rows
      .slice(0, SHEET_ROWS - 1)
      .map((row) => columns.map((column, index) => cellOf(row[index], column)));
    const sheet = utils.aoa_to_sheet([head, ...cells], { dense: true });
    sheet["!cols"] = columns.map(({ kind, head: text }) => ({
      wch: Math.max(WIDTHS[kind], text.length + 2),
    }));
    utils.book_append_sheet(workbook, sheet, names[index]);
  }
  const bytes: unknown = write(workbook, { type: "array", bookType: "xlsx", compression: true });
  if (!(bytes instanceof ArrayBuffer)) throw new TypeError("the workbook was not written");
  saveFile(new Blob([bytes], { type: XLSX_TYPE }), `${fileName}.xlsx`);
}

/** Write an Excel file with one sheet, both with the given name, and download it. */
export const writeSheet = (name: string, sheet: Omit<Sheet, "name">): Promise<void> =>
  writeWorkbook([{ ...sheet, name }], fileName(name));
