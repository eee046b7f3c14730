import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { type FolderLock, FolderLockedError, lockFolder } from "@mulkko/shared/server/folder-lock";
import { RELAY_FOLDER, RELAY_STORE_FILE, RESTORED_STORE_FILE } from "@mulkko/shared/store/relay-files";
import { BackupError } from "./format.ts";

/**
 * Pages per step. A single step lets no write of the relay come between, after which SQLite would start over.
 */
const ALL_PAGES = 2 ** 31 - 1;

/** Prefer a restored store that no relay has adopted yet: it is the relay's next state. */
const storeOf = (dataDir: string): string | undefined =>
  [RESTORED_STORE_FILE, RELAY_STORE_FILE].map((name) => join(dataDir, RELAY_FOLDER, name)).find(existsSync);
const copyOf = (dataDir: string): string => join(dataDir, "relay.snapshot.sqlite");

/** Remove the copy, and any copy left by a process that died. */
export async function clearRelayCopy(dataDir: string): Promise<void> {
  for (const end of ["", "-journal", "-wal", "-shm"]) await rm(copyOf(dataDir) + end, { force: true });
}

/**
 * Copy the relay's store as of one moment. The relay continues to write: readers of its file block no writer,
 * and the copy runs in another thread.
 *
 * @returns path of the copy; null where no relay keeps a store in this folder
 * @throws Error where the store cannot be read, or there is no space for the copy
 */
export async function copyRelayStore(dataDir: string): Promise<string | null> {
  const file = storeOf(dataDir);
  if (file === undefined) return null;
  await clearRelayCopy(dataDir);
  const source = new DatabaseSync(file, { readOnly: true });
  try {
    await backup(source, copyOf(dataDir), { rate: ALL_PAGES });
    return copyOf(dataDir);
  } catch (error) {
    await clearRelayCopy(dataDir);
    throw error;
  } finally {
    source.close();
  }
}

function hasAccounts(file: string): boolean {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare("select 1 from accounts limit 1").get() !== undefined;
  } finally {
    database.close();
  }
}

/**
 * Lock the relay's folder, so that no relay starts while its store is replaced.
 *
 * @throws BackupError where a relay runs on it, or has a store that must stay
 */
export function holdRelayFolder(
  dataDir: string,
  { file, replace }: { readonly file: string; readonly replace: boolean },
): FolderLock {
  const folder = join(dataDir, RELAY_FOLDER);
  const lock = (() => {
    try {
      return lockFolder(folder);
    } catch (error) {
      if (!(error instanceof FolderLockedError)) throw error;
      throw new BackupError(
        `A relay runs on ${folder}: stop it first, or add --without-relay to keep the relay's data as it is.`,
        { cause: error },
      );
    }
  })();
  try {
    const store = storeOf(dataDir);
    if (!replace && store !== undefined && hasAccounts(store)) {
      throw new BackupError(
        `The relay in ${folder} remembers accounts, which ${file} would replace. To replace them, add --replace. To keep them, add --without-relay.`,
      );
    }
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** @throws BackupError where a file is not a complete SQLite database */
export function checkRelayStore(file: string): void {
  const refusal = (cause?: unknown): BackupError =>
    new BackupError("The relay's data in the backup is damaged: add --without-relay to restore without it.", {
      cause,
    });
  let found: unknown;
  try {
    const database = new DatabaseSync(file);
    try {
      found = database.prepare("pragma quick_check(1)").get()?.quick_check;
    } finally {
      database.close();
    }
  } catch (error) {
    throw refusal(error);
  }
  if (found !== "ok") throw refusal(found);
}
