import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Somebody else has the folder; the message is a sentence naming it and the holder. */
export class FolderLockedError extends Error {
  override readonly name = "FolderLockedError";
}

/** The folder cannot be written to; the message is a sentence naming it and the cause. */
export class FolderUnwritableError extends Error {
  override readonly name = "FolderUnwritableError";
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

/** Open the lock's file in a folder, which is made if it is missing. @throws FolderUnwritableError */
function openLock(folder: string): DatabaseSync {
  try {
    mkdirSync(folder, { recursive: true });
    // SQLite opens a file that it may only read, and says so at the first write.
    accessSync(folder, constants.W_OK);
    return new DatabaseSync(join(folder, "lock.sqlite"), { timeout: 0 });
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new FolderUnwritableError(
      `The folder ${resolve(folder)} cannot be written to (${cause}): give this user the right to, or choose another DATA_DIR.`,
    );
  }
}

/**
 * Holds a folder for this process alone: an exclusive transaction that the kernel ends with the process, however
 * it dies. Two processes on one PGlite folder corrupt it silently.
 *
 * @throws FolderLockedError, FolderUnwritableError
 */
export function lockFolder(folder: string): FolderLock {
  const holder = join(folder, "lock.pid");
  const database = openLock(folder);
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
