/** Longest line, characters, and longest row where quoted cells go over several lines. */
export const MAX_ROW_LENGTH = 64 * 1024;

/** A row by the number of the line where it begins; the first line is 1. */
export type CsvRow =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly fault: "bad-quote" | "line-too-long" };

export interface CsvFormat {
  readonly delimiter: string;
  /** Null: there are no quoted cells. */
  readonly quote: string | null;
}

type Cells = { kind: "cells"; cells: string[] } | { kind: "open" } | { kind: "bad" };

/** Cells of a row with quotes in it; `open` where the row's end stands inside a quoted cell. */
function splitQuoted(row: string, { delimiter, quote }: { delimiter: string; quote: string }): Cells {
  const cells: string[] = [];
  let from = 0;
  for (;;) {
    if (row[from] !== quote) {
      const end = row.indexOf(delimiter, from);
      const cell = end < 0 ? row.slice(from) : row.slice(from, end);
      if (cell.includes(quote)) return { kind: "bad" };
      cells.push(cell);
      if (end < 0) return { kind: "cells", cells };
      from = end + 1;
      continue;
    }
    const start = from + 1;
    let end = row.indexOf(quote, start);
    while (end >= 0 && row[end + 1] === quote) end = row.indexOf(quote, end + 2);
    if (end < 0) return { kind: "open" };
    cells.push(row.slice(start, end).replaceAll(quote + quote, quote));
    if (end + 1 === row.length) return { kind: "cells", cells };
    if (row[end + 1] !== delimiter) return { kind: "bad" };
    from = end + 2;
  }
}

/**
 * Reads CSV as it comes, a piece at a time. A row that cannot be read is told as a fault, and the next line is read
 * anew: neither a quote that nobody closes nor a line without end takes the rest of the file or the memory with it.
 *
 * A reader of our own as csv-parse takes a hundred times as long, and is at its end with the first bad quote.
 */
export interface CsvReader {
  /** @returns rows that are whole by now */
  push(text: string): CsvRow[];
  /** @returns what is left at the end of the file */
  end(): CsvRow[];
}

/** @param firstLine number of the first line that comes */
export function createCsvReader({ delimiter, quote }: CsvFormat, firstLine = 1): CsvReader {
  let rest = "";
  let line = firstLine;
  /** Inside a line that was too long: what comes is dropped until it ends. */
  let isDropping = false;
  /** Lines of a row whose quoted cell is still open, and what they have in characters. */
  let open: string[] = [];
  let openLength = 0;
  let openQuotes = 0;

  const close = (): void => {
    open = [];
    openLength = 0;
    openQuotes = 0;
  };

  /** Takes the first of the open lines as bad, and reads those after it again. */
  const giveUp = (rows: CsvRow[]): void => {
    const again = open.slice(1);
    rows.push({ line: line - open.length, fault: "bad-quote" });
    line -= again.length;
    close();
    for (const text of again) take(text, rows);
  };

  const take = (text: string, rows: CsvRow[]): void => {
    line += 1;
    if (quote === null || (open.length === 0 && !text.includes(quote))) {
      rows.push({ line: line - 1, cells: text.split(delimiter) });
      return;
    }
    open.push(text);
    openLength += text.length + 1;
    openQuotes += text.split(quote).length - 1;
    // With an odd number of quotes the row's end stands inside a cell.
    if (open.length > 1 && openQuotes % 2 === 1) {
      if (openLength > MAX_ROW_LENGTH) giveUp(rows);
      return;
    }
    const split = splitQuoted(open.join("\n"), { delimiter, quote });
    switch (split.kind) {
      case "open":
        if (openLength > MAX_ROW_LENGTH) giveUp(rows);
        break;
      case "bad":
        giveUp(rows);
        break;
      case "cells":
        rows.push({ line: line - open.length, cells: split.cells });
        close();
    }
  };

  const tooLong = (rows: CsvRow[]): void => {
    while (open.length > 0) giveUp(rows);
    rows.push({ line, fault: "line-too-long" });
    line += 1;
  };

  const takeLine = (text: string, rows: CsvRow[]): void => {
    if (text.length > MAX_ROW_LENGTH) tooLong(rows);
    else take(text.endsWith("\r") ? text.slice(0, -1) : text, rows);
  };

  return {
    push(text) {
      const rows: CsvRow[] = [];
      let from = 0;
      for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
        if (isDropping) isDropping = false;
        else takeLine(rest + text.slice(from, end), rows);
        rest = "";
        from = end + 1;
      }
      if (!isDropping) rest += text.slice(from);
      if (rest.length > MAX_ROW_LENGTH) {
        tooLong(rows);
        rest = "";
        isDropping = true;
      }
      return rows;
    },
    end() {
      const rows: CsvRow[] = [];
      if (rest !== "") takeLine(rest, rows);
      rest = "";
      while (open.length > 0) giveUp(rows);
      return rows;
    },
  };
}
