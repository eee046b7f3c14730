import { saveFile } from "./save-file.ts";

/** Column; its kind is the type of its cells. */
export interface SheetColumn {
  readonly head: string;
  /** `time`: text `YYYY-MM-DD HH:mm[:ss]` on the reader's clock, see `wallTime`. */
  readonly kind: "time" | "number" | "text";
}

/** Sheet. A cell that is missing, null or of another type stays empty. */
export interface Sheet {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: readonly (readonly unknown[])[];
}

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
  for (const { name, columns, rows } of sheets) {
    const head: Cell[] = columns.map((column) => ({ t: "s", v: column.head }));
    const cells = rows
      .slice(0, SHEET_ROWS - 1)
      .map((row) => columns.map((column, index) => cellOf(row[index], column)));
    const sheet = utils.aoa_to_sheet([head, ...cells], { dense: true });
    sheet["!cols"] = columns.map(({ kind, head: text }) => ({
      wch: Math.max(WIDTHS[kind], text.length + 2),
    }));
    utils.book_append_sheet(workbook, sheet, name);
  }
  const bytes: unknown = write(workbook, { type: "array", bookType: "xlsx", compression: true });
  if (!(bytes instanceof ArrayBuffer)) throw new TypeError("the workbook was not written");
  saveFile(new Blob([bytes], { type: XLSX_TYPE }), `${fileName}.xlsx`);
}
