import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Database, Queryable } from "../database/database.ts";
import { openPglite } from "../database/pglite.ts";
import { openPostgres } from "../database/postgres.ts";
import { createFolderCopy } from "./copy-folder.ts";

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
