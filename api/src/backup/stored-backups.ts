import { createWriteStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { BackupService } from "./backup-service.ts";
import { checkBackup } from "./restore.ts";

/** Stored backups to keep. */
const MAX_KEPT = 7;
/** Age at which the newest backup is overdue, ms. */
export const OVERDUE_MS = 48 * 3_600_000;

const folderOf = (dataDir: string): string => join(dataDir, "backups");
/** Our backups, and those written by the tools of an external database. */
const NAME = /^mulkko-[\w.-]+\.(backup\.gz|dump)$/;
const UNFINISHED = ".part";

export interface StoredBackup {
  readonly name: string;
  /** ms since 1970 UTC */
  readonly at: number;
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });

/** Return the backups in `DATA_DIR/backups`, newest first. */
export async function listStored(dataDir: string): Promise<StoredBackup[]> {
  const folder = folderOf(dataDir);
  const found: StoredBackup[] = [];
  for (const name of (await namesIn(folder)).filter((one) => NAME.test(one))) {
    found.push({ name, at: (await stat(join(folder, name))).mtimeMs });
  }
  return found.sort((a, b) => b.at - a.at || b.name.localeCompare(a.name));
}

/** Remove files left by a process that died. */
export async function clearUnfinished(dataDir: string): Promise<void> {
  const folder = folderOf(dataDir);
  for (const name of await namesIn(folder)) {
    if (name.endsWith(UNFINISHED)) await rm(join(folder, name), { force: true });
  }
}

/**
 * Make a backup, verify it by reading it back, store it and delete the oldest. Existing backups stay until
 * the new one is verified.
 *
 * @param now ms since 1970 UTC
 * @throws ApiError 409, BackupError, DatabaseError, Error where it cannot be written
 */
export async function keepBackup(dataDir: string, backups: BackupService, now: number): Promise<string> {
  const folder = folderOf(dataDir);
  // A backup contains password hashes and keys.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { stream, name, own } = await backups.make();
  const part = join(folder, `${name}${UNFINISHED}`);
  try {
    await pipeline(stream, createWriteStream(part, { mode: 0o600, flush: true }));
    await checkBackup(part, own);
    await utimes(part, now / 1000, now / 1000);
    await rename(part, join(folder, name));
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  for (const { name: old } of (await listStored(dataDir)).slice(MAX_KEPT)) await rm(join(folder, old));
  return name;
}
