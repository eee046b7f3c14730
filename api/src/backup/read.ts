import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import { createGunzip } from "node:zlib";
import { parse } from "@mulkko/shared/schema/parse";
import type { TSchema } from "typebox";
import {
  AnyHead,
  BackupError,
  type Counter,
  CountersLine,
  EndLine,
  FileLine,
  FORMAT_VERSION,
  Head,
  MAX_LINE,
  PieceLine,
  RelayLine,
  TableLine,
} from "./format.ts";

const NEWLINE = 0x0a;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

function sentenceFor(file: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof BackupError) return error;
  const code = "code" in error ? String(error.code) : "";
  if (isMissing(error)) return new BackupError(`There is no file ${file}.`);
  if (code === "Z_BUF_ERROR") return new BackupError(`The backup ${file} is cut off: its end is missing.`);
  if (code.startsWith("Z_")) {
    return new BackupError(`The file ${file} is damaged or not a backup: ${error.message}.`);
  }
  return error;
}

/**
 * Yield the lines of a compressed file, each with its newline.
 *
 * @throws BackupError where the file is missing, truncated, damaged, or has an oversized line
 */
async function* readLines(file: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  // An error in either stream is thrown where the lines are read.
  pipeline(createReadStream(file), gunzip, () => undefined);
  let parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of gunzip) {
      let rest: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE)) {
        const line = rest.subarray(0, at + 1);
        yield parts.length > 0 ? Buffer.concat([...parts, line]) : line;
        parts = [];
        length = 0;
        rest = rest.subarray(at + 1);
      }
      length += rest.length;
      if (length > MAX_LINE) throw new BackupError(`The file ${file} is not a backup: a line has no end.`);
      if (rest.length > 0) parts.push(rest);
    }
  } catch (error) {
    throw sentenceFor(file, error);
  }
  if (length > 0) throw new BackupError(`The backup ${file} is cut off: its last line has no end.`);
}

/** Values of a row as text, in the order of the table's columns. */
export type TextRow = readonly (string | null)[];

/** Rows, and characters of rows, passed on per call. */
const ROWS_AT_ONCE = 1_000;
const BYTES_AT_ONCE = 1024 * 1024;

/** Receiver of a backup's content, in the order of the file. */
export interface Reader {
  head(head: Head): Promise<void>;
  table(table: TableLine): Promise<void>;
  /** Rows of the last table; never empty. */
  rows(rows: readonly TextRow[]): Promise<void>;
  counters(counters: readonly Counter[]): Promise<void>;
  /** A whole file. */
  file(name: string, bytes: Buffer): Promise<void>;
  /** A chunk of the relay's store, in order. */
  relayPiece(bytes: Buffer): Promise<void>;
}

const broken = (file: string): BackupError =>
  new BackupError(`The file ${file} is damaged: its checksum is wrong.`);

function headOf(file: string, value: unknown): Head {
  const any = parse(AnyHead, value);
  if (!any.ok) throw new BackupError(`The file ${file} is not a backup of Mulkko.`);
  if (any.value.version > FORMAT_VERSION) {
    throw new BackupError(
      `The backup ${file} has format ${any.value.version}, but this version reads up to ${FORMAT_VERSION}: restore it with the version of Mulkko that made it.`,
    );
  }
  const head = parse(Head, value);
  if (!head.ok) throw broken(file);
  return head.value;
}

const isRow = (value: unknown, length: number): value is TextRow =>
  Array.isArray(value) &&
  value.length === length &&
  value.every((one) => one === null || typeof one === "string");

/**
 * Read a backup to its end and pass its content on. The backup is known to be complete only when this
 * returns.
 *
 * @throws BackupError where the file is not a backup, has another format, or is truncated or changed
 */
export async function readBackup(file: string, reader: Reader): Promise<EndLine> {
  const hash = createHash("sha256");
  const counts: Record<string, number> = {};
  let files = 0;
  let table: TableLine | null = null;
  let rows: TextRow[] = [];
  let bytes = 0;
  let open: { name: string; size: number; pieces: Buffer[]; length: number } | null = null;
  let relayLeft: number | null = null;
  let end: EndLine | null = null;
  let head: Head | null = null;

  const read = <S extends TSchema>(schema: S, value: unknown) => {
    const parsed = parse(schema, value);
    return parsed.ok ? parsed.value : null;
  };
  const flush = async (): Promise<void> => {
    if (rows.length > 0) await reader.rows(rows);
    rows = [];
    bytes = 0;
  };
  const closeFile = async (): Promise<void> => {
    if (!open || open.length < open.size) return;
    if (open.length > open.size) throw broken(file);
    await reader.file(open.name, Buffer.concat(open.pieces));
    files += 1;
    open = null;
  };
  const readRow = async (row: unknown, length: number): Promise<void> => {
    if (!table || !isRow(row, table.columns.length)) throw broken(file);
    rows.push(row);
    bytes += length;
    counts[table.table] = (counts[table.table] ?? 0) + 1;
    if (rows.length >= ROWS_AT_ONCE || bytes >= BYTES_AT_ONCE) await flush();
  };
  const readRelayPiece = async (text: string | undefined, left: number): Promise<void> => {
    const part = Buffer.from(text ?? "", "base64");
    if (part.length === 0 || part.length > left) throw broken(file);
    relayLeft = left - part.length;
    await reader.relayPiece(part);
  };
  const readMark = async (value: unknown): Promise<void> => {
    await flush();
    const piece = open && read(PieceLine, value);
    if (open && piece) {
      const part = Buffer.from(piece.piece, "base64");
      open.pieces.push(part);
      open.length += part.length;
      return closeFile();
    }
    if (relayLeft !== null && relayLeft > 0) return readRelayPiece(read(PieceLine, value)?.piece, relayLeft);
    if (open) throw broken(file);
    const nextTable = read(TableLine, value);
    if (nextTable) {
      if (nextTable.table in counts) throw broken(file);
      table = nextTable;
      counts[nextTable.table] = 0;
      return reader.table(nextTable);
    }
    table = null;
    const nextCounters = read(CountersLine, value);
    if (nextCounters) return reader.counters(nextCounters.counters);
    const nextFile = read(FileLine, value);
    if (nextFile) {
      open = { name: nextFile.file, size: nextFile.size, pieces: [], length: 0 };
      return closeFile();
    }
    const relay = read(RelayLine, value);
    if (relay && relayLeft === null) {
      relayLeft = relay.relayStore.size;
      return;
    }
    end = read(EndLine, value);
    if (!end) throw broken(file);
  };

  for await (const line of readLines(file)) {
    if (end) throw broken(file);
    let value: unknown;
    try {
      value = JSON.parse(line.toString());
    } catch {
      throw head === null ? new BackupError(`The file ${file} is not a backup of Mulkko.`) : broken(file);
    }
    if (head === null) {
      head = headOf(file, value);
      await reader.head(head);
    } else if (Array.isArray(value)) {
      await readRow(value, line.length);
    } else {
      await readMark(value);
    }
    if (!end) hash.update(line);
  }
  const found: EndLine = { end: true, rows: counts, files, sha256: hash.digest("hex") };
  if (!end) throw new BackupError(`The backup ${file} is cut off: its end is missing.`);
  if (!isDeepStrictEqual(end, found) || (head?.relay === "kept") !== (relayLeft === 0)) throw broken(file);
  return found;
}
