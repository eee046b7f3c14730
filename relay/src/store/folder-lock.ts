import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The right of one process to a folder. The kernel frees it with the process, however that ends. */
export interface FolderLock {
  release(): void;
}

/** Another process holds the folder; the message names both. */
export class FolderLockedError extends Error {
  override readonly name = "FolderLockedError";
}

const holderOf = (file: string): string => {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "unknown";
  }
};

/**
 * Holds an exclusive transaction on `lock.sqlite` in the folder, which is made if it is missing.
 *
 * @throws FolderLockedError if another process holds it
 */
export function lockFolder(folder: string): FolderLock {
  mkdirSync(folder, { recursive: true });
  const pidFile = join(folder, "lock.pid");
  const database = new DatabaseSync(join(folder, "lock.sqlite"), { timeout: 0 });
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
