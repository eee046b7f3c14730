import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Somebody else has the folder; the message is a sentence naming it and the holder. */
export class FolderLockedError extends Error {
  override readonly name = "FolderLockedError";
}

export interface FolderLock {
  release(): void;
}

function holderOf(file: string): string {
  try {
    return readFileSync(file, "utf8").trim() || "unknown";
  } catch {
    return "unknown";
  }
}

/**
 * Holds a folder for this process alone: an exclusive transaction that the kernel ends with the process, however
 * it dies. Two processes on one PGlite folder corrupt it silently.
 *
 * @throws FolderLockedError
 */
export function lockFolder(folder: string): FolderLock {
  mkdirSync(folder, { recursive: true });
  const holder = join(folder, "lock.pid");
  const database = new DatabaseSync(join(folder, "lock.sqlite"), { timeout: 0 });
  try {
    database.exec("begin exclusive");
  } catch (error) {
    database.close();
    if (!(error instanceof Error) || !/locked|busy/i.test(error.message)) throw error;
    throw new FolderLockedError(
      `The folder ${resolve(folder)} is in use by process ${holderOf(holder)}: stop it first, or choose another DATA_DIR.`,
    );
  }
  writeFileSync(holder, `${process.pid}\n`);
  return {
    release() {
      database.close();
    },
  };
}
