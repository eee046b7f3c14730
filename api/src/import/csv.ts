/** Longest line, characters, and longest row with quoted cells over several lines. */
export const MAX_ROW_LENGTH = 64 * 1024;

/** A row, with the number of its first line; the first line of the file is 1. */
export type CsvRow =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly fault: "bad-quote" | "line-too-long" };

export interface CsvFormat {
  readonly delimiter: string;
  /** Null: no quoted cells. */
  readonly quote: string | null;
}

type Cells = { kind: "cells"; cells: string[] } | { kind: "open" } | { kind: "bad" };

/** Split a row that contains quotes; `open` where the row ends inside a quoted cell. */
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
 * Read CSV in a stream, one chunk at a time. An invalid row becomes a fault, and reading continues at the
 * next line. Neither an unclosed quote nor an endless line consumes the rest of the file or the memory.
 *
 * This is our own reader because libraries lose the valid rows after a bad quote (ADR 27).
 */
export interface CsvReader {
  /** @returns complete rows so far */
  push(text: string): CsvRow[];
  /** @returns the remaining rows at the end of the file */
  end(): CsvRow[];
}

/** @param firstLine number of the first line that is pushed */
export function createCsvReader({ delimiter, quote }: CsvFormat, firstLine = 1): CsvReader {
  let rest = "";
  let line = firstLine;
  /** True inside an oversized line: its input is dropped up to its end. */
  let isDropping = false;
  /** Lines of a row with an open quoted cell, and their characters. */
  let open: string[] = [];
  let openLength = 0;
  let openQuotes = 0;

  const close = (): void => {
    open = [];
    openLength = 0;
    openQuotes = 0;
  };

  /** Report the first open line as invalid, and read the following ones again. */
  const giveUp = (rows: CsvRow[]): void => {
    const again = open.slice(1);
    rows.push({ line: line - open.length, fault: "bad-quote" });
    line -= again.length;
    close();
    for (const text of again) addLine(text, rows);
  };

  const addLine = (text: string, rows: CsvRow[]): void => {
    line += 1;
    if (quote === null || (open.length === 0 && !text.includes(quote))) {
      rows.push({ line: line - 1, cells: text.split(delimiter) });
      return;
    }
    open.push(text);
    openLength += text.length + 1;
    openQuotes += text.split(quote).length - 1;
    // With an odd number of quotes the row ends inside a cell.
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

  const addCheckedLine = (text: string, rows: CsvRow[]): void => {
    if (text.length > MAX_ROW_LENGTH) tooLong(rows);
    else addLine(text.endsWith("\r") ? text.slice(0, -1) : text, rows);
  };

  return {
    push(text) {
      const rows: CsvRow[] = [];
      let from = 0;
      for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
        if (isDropping) isDropping = false;
        else addCheckedLine(rest + text.slice(from, end), rows);
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
      if (rest !== "") addCheckedLine(rest, rows);
      rest = "";
      while (open.length > 0) giveUp(rows);
      return rows;
    },
  };
}
