import { constants } from "node:fs";
import { copyFile, mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { Database, Queryable } from "../database/database.ts";
import { openPglite } from "../database/pglite.ts";
import { openPostgres } from "../database/postgres.ts";
import { MIGRATIONS_TABLE, type Table } from "./catalogue.ts";
import { readOwnTables } from "./schema.ts";

/** A file changed this shortly before its copy may change again within the same clock tick, ms. */
const TICK_MS = 2_000;

interface Copied {
  readonly size: number;
  readonly changedAt: number;
  readonly copiedAt: number;
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

/**
 * Copy a folder in use in two passes. The first pass copies everything while the writer runs. The second
 * copies the changes while the writer is paused. The pause is short: it depends on the changes, not on the
 * size of the history.
 */
export function createFolderCopy(from: string, to: string): { copyChanges(): Promise<void> } {
  const copied = new Map<string, Copied>();

  const copyOne = async (path: string): Promise<void> => {
    const copiedAt = Date.now();
    const { size, mtimeMs: changedAt } = await stat(join(from, path));
    const before = copied.get(path);
    const isSame = before?.size === size && before.changedAt === changedAt;
    if (isSame && changedAt < before.copiedAt - TICK_MS) return;
    await mkdir(dirname(join(to, path)), { recursive: true });
    await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE);
    copied.set(path, { size, changedAt, copiedAt });
  };

  return {
    /** Bring the copy up to date. The writer must be paused. */
    async copyChanges() {
      await mkdir(to, { recursive: true, mode: 0o700 });
      const entries = await readdir(from, { withFileTypes: true, recursive: true });
      const seen = new Set<string>();
      for (const entry of entries) {
        const path = relative(from, join(entry.parentPath, entry.name));
        if (entry.isDirectory()) {
          await mkdir(join(to, path), { recursive: true });
        } else {
          seen.add(path);
          // Removed since the listing: a later pass does not find it, or the writer does not need it.
          await copyOne(path).catch((error: unknown) => {
            if (!isMissing(error)) throw error;
            seen.delete(path);
          });
        }
      }
      for (const path of copied.keys()) {
        if (seen.has(path)) continue;
        await rm(join(to, path), { force: true });
        copied.delete(path);
      }
    },
  };
}

/** Location of this process's data. */
export interface Place {
  /** URL of PostgreSQL; without it PGlite has its folder in `dataDir`. */
  readonly url: string | undefined;
  readonly dataDir: string;
}

export const pgdataOf = (dataDir: string): string => join(dataDir, "pgdata");
const copyOf = (dataDir: string): string => join(dataDir, "pgdata.snapshot");

async function openCopy(database: Database, dataDir: string): Promise<Database> {
  const folder = copyOf(dataDir);
  await rm(folder, { recursive: true, force: true });
  const copy = createFolderCopy(pgdataOf(dataDir), folder);
  // Leaves little log for the new process to replay.
  await database.query("checkpoint", [], "history");
  await copy.copyChanges();
  // PGlite has one connection: while a transaction holds it, nothing is written.
  await database.transaction(() => copy.copyChanges());
  return openPglite(folder, () => undefined);
}

/** Remove the copy left by a process that died. */
export const clearSnapshot = (dataDir: string): Promise<void> =>
  rm(copyOf(dataDir), { recursive: true, force: true });

/** A view of all data at one moment, while the database continues. */
export interface Snapshot {
  /**
   * Return the tables that a restore makes before it migrates. They are made beside the snapshot, where no statement
   * of the farm waits for it, and not committed.
   */
  readOwnTables(): Promise<readonly Table[]>;
  /** Run `work` once, in a transaction that sees only that moment. */
  read<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Take a snapshot. PostgreSQL keeps one in a transaction on its own connection. PGlite has one connection,
 * which a long read would block for all others. So a copy of its folder is opened, as after a power failure
 * at that moment.
 *
 * @throws DatabaseError; Error where there is no space for the copy
 */
export async function openSnapshot(database: Database, { url, dataDir }: Place): Promise<Snapshot> {
  const source = url
    ? await openPostgres(url)
    : await openCopy(database, dataDir).catch(async (error: unknown) => {
        // A disk filled by half a copy blocks every writer.
        await clearSnapshot(dataDir);
        throw error;
      });
  return {
    readOwnTables: () =>
      source.transaction(async (tx) => {
        const [row] = await tx.query<{ schema: number }>(
          `select max(number) as schema from ${MIGRATIONS_TABLE}`,
        );
        return readOwnTables(tx, row?.schema);
      }),
    read: (work) =>
      source.transaction(async (tx) => {
        await tx.query("set transaction isolation level repeatable read, read only");
        return work(tx);
      }),
    async close() {
      await source.close();
      if (!url) await clearSnapshot(dataDir);
    },
  };
}
