import { type CsvRow, createCsvReader, MAX_ROW_LENGTH } from "./csv.ts";
import { ImportError } from "./import-error.ts";
import type { Mapping } from "./mapping.ts";
import { decodeText } from "./text.ts";

/** Rows of a file as the mapping wants them: its header apart, blank lines and ignored rows left out. */
export interface TableReader {
  /** Null before it has come, and where the mapping says that there is none. */
  header(): readonly string[] | null;
  /** Rows left out so far as the mapping says. */
  ignored(): number;
  /** Rows piece by piece; a piece may be without any. @throws ImportError */
  rows(): AsyncGenerator<readonly CsvRow[]>;
}

/** Also a row of nothing but delimiters. */
const isBlank = (row: CsvRow): boolean => "cells" in row && row.cells.every((cell) => cell.trim() === "");

/** @returns a function that takes the first lines away from what comes */
function lineSkipper(lines: number): (text: string) => string {
  let left = lines;
  return (text) => {
    let from = 0;
    while (left > 0) {
      const end = text.indexOf("\n", from);
      if (end < 0) return "";
      from = end + 1;
      left -= 1;
    }
    return from === 0 ? text : text.slice(from);
  };
}

/** Lets rows through but for the last ones that have come. */
function createTail(count: number): { pass(rows: readonly CsvRow[]): readonly CsvRow[]; size(): number } {
  let held: readonly CsvRow[] = [];
  return {
    size: () => held.length,
    pass(rows) {
      if (count === 0) return rows;
      const all = [...held, ...rows];
      held = all.slice(-count);
      return all.slice(0, -count);
    },
  };
}

/** @param bytes of the file */
export function readTable(bytes: AsyncIterable<Uint8Array>, mapping: Mapping): TableReader {
  const { skipLines = 0, header: hasHeader = true, ignore = {} } = mapping;
  const { startingWith = [], lastRows = 0 } = ignore;
  const quote = mapping.quote === "none" ? null : (mapping.quote ?? '"');
  const delimiter = mapping.delimiter ?? ",";
  if (quote === delimiter) throw new ImportError("mapping", "The delimiter and the quote are the same.");
  const reader = createCsvReader({ delimiter, quote }, skipLines + 1);
  const skip = lineSkipper(skipLines);
  const tail = createTail(lastRows);
  let header: readonly string[] | null = null;
  let ignored = 0;

  const takeHeader = (row: CsvRow): void => {
    if ("fault" in row) {
      const what =
        row.fault === "bad-quote"
          ? "its quotes do not fit"
          : `it is longer than ${MAX_ROW_LENGTH} characters`;
      throw new ImportError("file", `The header in line ${row.line} cannot be read: ${what}.`);
    }
    header = row.cells;
  };
  const isIgnored = (row: CsvRow): boolean => {
    const first = "cells" in row ? (row.cells[0]?.trim() ?? "") : "";
    return startingWith.some((text) => first.startsWith(text));
  };
  const sift = (read: readonly CsvRow[]): readonly CsvRow[] => {
    const rows = read.filter((row) => !isBlank(row));
    const [first] = rows;
    if (hasHeader && header === null && first) {
      takeHeader(first);
      rows.shift();
    }
    const wanted = rows.filter((row) => !isIgnored(row));
    ignored += rows.length - wanted.length;
    return tail.pass(wanted);
  };

  return {
    header: () => header,
    ignored: () => ignored,
    async *rows() {
      for await (const text of decodeText(bytes, mapping.encoding ?? "utf-8")) {
        yield sift(reader.push(skip(text)));
      }
      yield sift(reader.end());
      ignored += tail.size();
      if (hasHeader && header === null) throw new ImportError("file", "The file has no header: it is empty.");
    },
  };
}
