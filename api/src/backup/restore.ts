import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Database } from "../database/database.ts";
import { lockFolder } from "../database/folder-lock.ts";
import { openPglite } from "../database/pglite.ts";
import { openPostgres } from "../database/postgres.ts";
import type { EndLine, Head } from "./format.ts";
import { createLoader } from "./load.ts";
import { readBackup, type Taker } from "./read.ts";
import { migrateFrom, refuseNewerSchema, refuseWhatIsThere } from "./schema.ts";
import { type Place, pgdataOf } from "./snapshot.ts";

/** What was restored. */
export interface Restored {
  readonly head: Head;
  readonly end: EndLine;
}

const nothing = async (): Promise<void> => undefined;

/** Reads a backup once without doing anything. @throws BackupError */
async function check(file: string): Promise<Head> {
  let found: Head | undefined;
  await readBackup(file, {
    async head(head) {
      await refuseNewerSchema(head);
      found = head;
    },
    table: nothing,
    rows: nothing,
    counters: nothing,
    file: nothing,
  });
  if (!found) throw new Error("a backup without a head was taken for one");
  return found;
}

/** Files wait beside their places until the database has everything. */
function createFileStage(dataDir: string): {
  take: Taker["file"];
  place(): Promise<void>;
  clear(): Promise<void>;
} {
  const stage = join(dataDir, "restore.new");
  const names: string[] = [];
  return {
    async take(name, bytes) {
      await mkdir(dirname(join(stage, name)), { recursive: true });
      await writeFile(join(stage, name), bytes, { mode: 0o640 });
      names.push(name);
    },
    async place() {
      for (const name of names) {
        await mkdir(dirname(join(dataDir, name)), { recursive: true });
        await rename(join(stage, name), join(dataDir, name));
      }
    },
    clear: () => rm(stage, { recursive: true, force: true }),
  };
}

async function load(
  database: Database,
  dataDir: string,
  how: { readonly file: string; readonly replace: boolean },
  schema: number,
): Promise<EndLine> {
  const stage = createFileStage(dataDir);
  await stage.clear();
  try {
    return await database.transaction(async (tx) => {
      await refuseWhatIsThere(tx, { ...how, file: basename(how.file) });
      const loader = createLoader(tx, { isPglite: database.kind === "pglite", file: stage.take });
      const read = await readBackup(how.file, loader);
      await loader.finish();
      await migrateFrom(tx, schema);
      await tx.query("analyze");
      // Before the end of the transaction: a picture that nothing shows is swept, one that is missing stays so.
      await stage.place();
      return read;
    });
  } finally {
    await stage.clear();
  }
}

/**
 * Puts a backup in the place of what is there, in either database: all of it, or nothing. No farm API may run on
 * the place meanwhile.
 *
 * @param how `replace`: even where there are accounts
 * @throws BackupError, FolderLockedError, DatabaseError
 */
export async function restore(
  { url, dataDir }: Place,
  how: { readonly file: string; readonly replace: boolean },
): Promise<Restored> {
  const lock = lockFolder(dataDir);
  try {
    const head = await check(how.file);
    const database = url ? await openPostgres(url) : await openPglite(pgdataOf(dataDir), () => undefined);
    try {
      return { head, end: await load(database, dataDir, how, head.schema) };
    } finally {
      await database.close();
    }
  } finally {
    lock.release();
  }
}
