import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Database, Queryable } from "../database/database.ts";
import { openPglite } from "../database/pglite.ts";
import { openPostgres } from "../database/postgres.ts";
import { createFolderCopy } from "./copy-folder.ts";

/** Where the data of this process lie. */
export interface Place {
  /** PostgreSQL; without it PGlite has its folder in `dataDir`. */
  readonly url: string | undefined;
  readonly dataDir: string;
}

export const pgdataOf = (dataDir: string): string => join(dataDir, "pgdata");
const copyOf = (dataDir: string): string => join(dataDir, "pgdata.snapshot");

async function openCopy(database: Database, dataDir: string): Promise<Database> {
  const folder = copyOf(dataDir);
  await rm(folder, { recursive: true, force: true });
  const copy = createFolderCopy(pgdataOf(dataDir), folder);
  // Little is left for the new process to make good from the log.
  await database.query("checkpoint", [], "history");
  await copy.copyChanges();
  // PGlite has one connection: while a transaction has it, nothing is written.
  await database.transaction(() => copy.copyChanges());
  return openPglite(folder, () => undefined);
}

/** Removes what a process that died has left. */
export const clearSnapshot = (dataDir: string): Promise<void> =>
  rm(copyOf(dataDir), { recursive: true, force: true });

/** Everything as it was at one moment, while the database goes on. */
export interface Snapshot {
  /** Once: runs `work` in a transaction that sees that moment only. */
  read<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Takes a snapshot. PostgreSQL keeps one for a transaction on a connection of its own. PGlite has one connection,
 * and whoever reads long from it stops everybody: there a copy of its folder is opened beside it, as if the power
 * had failed at that moment.
 *
 * @throws DatabaseError; Error where there is no room for the copy
 */
export async function openSnapshot(database: Database, { url, dataDir }: Place): Promise<Snapshot> {
  const source = url
    ? await openPostgres(url)
    : await openCopy(database, dataDir).catch(async (error: unknown) => {
        // A disk that is full of half a copy stops everybody.
        await clearSnapshot(dataDir);
        throw error;
      });
  return {
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
