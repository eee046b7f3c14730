import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { BackupError, MAX_LINE } from "./format.ts";

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
export async function* readLines(file: string): AsyncGenerator<Buffer> {
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
