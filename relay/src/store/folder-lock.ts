import { accessSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The right of one process to a folder. The kernel frees it with the process, however that ends. */
export interface FolderLock {
  release(): void;
}

/** Another process holds the folder; the message names both. */
export class FolderLockedError extends Error {
  override readonly name = "FolderLockedError";
}

/** The folder cannot be written to; the message is a sentence naming it and the cause. */
export class FolderUnwritableError extends Error {
  override readonly name = "FolderUnwritableError";
}

const holderOf = (file: string): string => {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "unknown";
  }
};

/** Open the lock's file in the folder, which is made if it is missing. @throws FolderUnwritableError */
function openLock(folder: string): DatabaseSync {
  try {
    mkdirSync(folder, { recursive: true });
    // SQLite opens a file that it may only read, and says so at the first write.
    accessSync(folder, constants.W_OK);
    return new DatabaseSync(join(folder, "lock.sqlite"), { timeout: 0 });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new FolderUnwritableError(
      `The folder ${resolve(folder)} cannot be written to (${reason}): give this user the right to, or choose another DATA_DIR.`,
      { cause },
    );
  }
}

/**
 * Holds an exclusive transaction on `lock.sqlite` in the folder, which is made if it is missing.
 *
 * @throws FolderLockedError if another process holds it, FolderUnwritableError
 */
export function lockFolder(folder: string): FolderLock {
  const pidFile = join(folder, "lock.pid");
  const database = openLock(folder);
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    database.close();
    const holder = holderOf(pidFile);
    throw new FolderLockedError(`The folder ${folder} is in use by another relay (process ${holder}).`, {
      cause,
    });
  }
  writeFileSync(pidFile, `${process.pid}\n`);
  return {
    release() {
      rmSync(pidFile, { force: true });
      database.close();
    },
  };
}
