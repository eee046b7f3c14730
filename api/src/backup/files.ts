import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "@mulkko/shared/schema/parse";
import { FileLine, MAX_FILE_BYTES } from "./format.ts";

const FOLDERS = ["images", "profiles"] as const;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

/** True for a file of this program, which belongs in a backup. */
const isTaken = (file: string): boolean => parse(FileLine, { file, size: 0 }).ok;

/**
 * Read the files of `DATA_DIR` that belong in a backup, one at a time. Skip a file that is replaced
 * meanwhile.
 *
 * @throws Error where a file is larger than any that this program writes
 */
export async function* readFiles(dataDir: string): AsyncGenerator<{ file: string; bytes: Buffer }> {
  for (const folder of FOLDERS) {
    const names = await readdir(join(dataDir, folder)).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    for (const file of names.sort().map((name) => `${folder}/${name}`)) {
      if (!isTaken(file)) continue;
      const bytes = await readFile(join(dataDir, file)).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      });
      if (bytes && bytes.length > MAX_FILE_BYTES) throw new Error(`${file} is too large for a backup`);
      if (bytes) yield { file, bytes };
    }
  }
}
