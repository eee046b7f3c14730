import { type CsvRow, createCsvReader, MAX_ROW_LENGTH } from "./csv.ts";
import { encodingHint } from "./guess.ts";
import { ImportError, type Mapping } from "./mapping.ts";

type Encoding = NonNullable<Mapping["encoding"]>;

/** Labels of `TextDecoder`; its EUC-KR is CP949, according to the WHATWG. */
const LABELS: Readonly<Record<Encoding, string>> = {
  "utf-8": "utf-8",
  cp949: "euc-kr",
  "utf-16le": "utf-16le",
};

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

/**
 * Return a function that writes all line ends as LF: those of Windows (CR LF), and of old devices and a Mac's
 * Excel (CR alone). A CR at the end of a chunk waits for the next one.
 */
function lineEndsOf(): (text: string, isLast: boolean) => string {
  let waiting = "";
  return (text, isLast) => {
    const all = waiting + text;
    waiting = !isLast && all.endsWith("\r") ? "\r" : "";
    return (waiting === "" ? all : all.slice(0, -1)).replace(/\r\n?/g, "\n");
  };
}

/**
 * Decode bytes, without a byte order mark, with LF as line ends.
 *
 * @throws ImportError naming the line where the bytes have another encoding, or are not text
 */
async function* decodeText(bytes: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(LABELS[encoding], { fatal: true });
  const lineEnds = lineEndsOf();
  let line = 1;
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk
        ? lineEnds(decoder.decode(chunk, { stream: true }), false)
        : lineEnds(decoder.decode(), true);
    } catch {
      const [before = ""] = new TextDecoder(LABELS[encoding]).decode(chunk).split("�", 1);
      const where = `Line ${line + countLines(lineEnds(before, true))}`;
      const hint = encodingHint(chunk ?? new Uint8Array(), encoding);
      throw new ImportError("file", `${where} is not ${encoding.toUpperCase()}. ${hint}`);
    }
  };
  for await (const chunk of bytes) {
    const text = decode(chunk);
    const nul = text.indexOf("\0");
    if (nul >= 0) {
      const where = line + countLines(text.slice(0, nul));
      const hint = encodingHint(chunk, encoding);
      throw new ImportError("file", `Line ${where} contains a zero byte. ${hint}`);
    }
    line += countLines(text);
    yield text;
  }
  const rest = decode();
  if (rest) yield rest;
}

/** Rows of a file according to the mapping: without header, blank lines and ignored rows. */
export interface TableReader {
  /** Null before it is read, and where the mapping has none. */
  header(): readonly string[] | null;
  /** Number of rows ignored so far. */
  ignored(): number;
  /** Yield rows chunk by chunk; a chunk may be empty. @throws ImportError */
  rows(): AsyncGenerator<readonly CsvRow[]>;
}

/** True also for a row of delimiters only. */
const isBlank = (row: CsvRow): boolean => "cells" in row && row.cells.every((cell) => cell.trim() === "");

/** @returns a function that drops the first lines of its input */
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

/** Pass on all rows but the last ones. */
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

  const readHeader = (row: CsvRow): void => {
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
      readHeader(first);
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
