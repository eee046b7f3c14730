import { accessSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { closeDataFolder } from "./private-folder.ts";

/** Another process holds the folder; the message is a sentence that names the folder and the process. */
export class FolderLockedError extends Error {
  override readonly name = "FolderLockedError";
}

/** The folder cannot be written to; the message is a sentence that names the folder and the cause. */
export class FolderUnwritableError extends Error {
  override readonly name = "FolderUnwritableError";
}

/** The exclusive right of one process to a folder. */
export interface FolderLock {
  /** Names in the folder that are not Mulkko's: with any, it is not closed to other users. */
  readonly foreign: readonly string[];
  release(): void;
}

/** The open locks: SQLite ends the transaction of one that was garbage-collected. */
const held = new Set<DatabaseSync>();

function holderOf(file: string): string {
  try {
    return readFileSync(file, "utf8").trim() || "unknown";
  } catch {
    return "unknown";
  }
}

function openLock(folder: string): DatabaseSync {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // SQLite opens a file that it may only read, and reports it at the first write.
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
 * Lock a folder for this process, and create it if it is missing. The lock is an exclusive transaction on
 * `lock.sqlite`: the kernel ends it with the process, however the process ends. Two processes on one PGlite folder
 * corrupt it without an error. The folder is closed to other users of the machine, also an existing one.
 *
 * @throws FolderLockedError, FolderUnwritableError
 */
export function lockFolder(folder: string): FolderLock {
  const pidFile = join(folder, "lock.pid");
  const database = openLock(folder);
  try {
    database.exec("begin exclusive");
  } catch (cause) {
    database.close();
    if (!(cause instanceof Error)) throw cause;
    if (/not a database|malformed|disk image/i.test(cause.message)) {
      throw new FolderUnwritableError(
        `The file ${resolve(folder, "lock.sqlite")} is damaged (${cause.message}). It holds nothing: make sure that no Mulkko runs on this folder, delete it, and start again.`,
        { cause },
      );
    }
    if (!/locked|busy/i.test(cause.message)) throw cause;
    throw new FolderLockedError(
      `The folder ${resolve(folder)} is in use by process ${holderOf(pidFile)}: stop it first, or choose another DATA_DIR.`,
      { cause },
    );
  }
  held.add(database);
  writeFileSync(pidFile, `${process.pid}\n`);
  return {
    foreign: closeDataFolder(folder),
    release() {
      rmSync(pidFile, { force: true });
      held.delete(database);
      database.close();
    },
  };
}
