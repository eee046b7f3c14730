import { appendFile, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { lockFolder } from "@mulkko/shared/server/folder-lock";
import { RELAY_FOLDER, RESTORED_STORE_FILE } from "@mulkko/shared/store/relay-files";
import type { Database } from "../database/database.ts";
import { openPglite } from "../database/pglite.ts";
import { openPostgres } from "../database/postgres.ts";
import type { Table } from "./catalogue.ts";
import type { EndLine, Head } from "./format.ts";
import { createLoader, fitting } from "./load.ts";
import { type Reader, readBackup } from "./read.ts";
import { checkRelayStore, holdRelayFolder } from "./relay-store.ts";
import { migrateFrom, refuseNewerSchema, refuseWhatIsThere } from "./schema.ts";
import { type Place, pgdataOf } from "./snapshot.ts";

/** Summary of a restore. */
export interface Restored {
  readonly head: Head;
  readonly end: EndLine;
}

const nothing = async (): Promise<void> => undefined;

/**
 * Read a whole backup without changes.
 *
 * @param own the tables that a restore makes: then each table of the backup is compared with them, too
 * @throws BackupError
 */
export async function checkBackup(file: string, own?: readonly Table[]): Promise<Head> {
  let found: Head | undefined;
  await readBackup(file, {
    async head(head) {
      await refuseNewerSchema(head);
      found = head;
    },
    async table(line) {
      if (own) fitting(line, own);
    },
    rows: nothing,
    counters: nothing,
    file: nothing,
    relayPiece: nothing,
  });
  if (!found) throw new Error("the file passed as a backup but has no head");
  return found;
}

/** Stage files beside their final paths until the database has every row. */
function createFileStage(dataDir: string, withRelay: boolean) {
  const stage = join(dataDir, "restore.new");
  const relayStore = join(stage, RESTORED_STORE_FILE);
  const names: string[] = [];
  return {
    files: {
      async file(name, bytes) {
        await mkdir(dirname(join(stage, name)), { recursive: true });
        await writeFile(join(stage, name), bytes, { mode: 0o640 });
        names.push(name);
      },
      async relayPiece(bytes) {
        if (!withRelay) return;
        await mkdir(stage, { recursive: true });
        await appendFile(relayStore, bytes, { mode: 0o600 });
      },
    } satisfies Partial<Reader>,
    /** @throws BackupError */
    check() {
      if (withRelay) checkRelayStore(relayStore);
    },
    async place() {
      for (const name of names) {
        await mkdir(dirname(join(dataDir, name)), { recursive: true });
        await rename(join(stage, name), join(dataDir, name));
      }
    },
    /** The relay adopts it at its next start. */
    async placeRelay() {
      if (withRelay) await rename(relayStore, join(dataDir, RELAY_FOLDER, RESTORED_STORE_FILE));
    },
    clear: () => rm(stage, { recursive: true, force: true }),
  };
}

async function load(database: Database, dataDir: string, how: How, head: Head): Promise<EndLine> {
  const stage = createFileStage(dataDir, isRelayWanted(head, how));
  await stage.clear();
  try {
    const end = await database.transaction(async (tx) => {
      await refuseWhatIsThere(tx, { ...how, file: basename(how.file) });
      const loader = createLoader(tx, { isPglite: database.kind === "pglite", files: stage.files });
      const read = await readBackup(how.file, loader);
      await loader.finish();
      await migrateFrom(tx, head.schema);
      await tx.query("analyze");
      stage.check();
      // Before the commit: an unreferenced image is swept later, a missing one would stay missing.
      await stage.place();
      return read;
    });
    // After the commit: a relay must not adopt a store whose database was not restored.
    await stage.placeRelay();
    return end;
  } finally {
    await stage.clear();
  }
}

/** Options of a restore. */
export interface How {
  readonly file: string;
  /** Replace even existing accounts. */
  readonly replace: boolean;
  /** Keep the relay's current store. */
  readonly withoutRelay?: boolean;
}

const isRelayWanted = ({ relay }: Head, { withoutRelay = false }: How): boolean =>
  relay === "kept" && !withoutRelay;

/**
 * Replace the existing data by a backup, in either database: everything or nothing. No farm API may run on
 * the same data meanwhile, and no relay if the backup contains its store.
 *
 * @throws BackupError, FolderLockedError, DatabaseError
 */
export async function restore({ url, dataDir }: Place, how: How): Promise<Restored> {
  const locks = [lockFolder(dataDir)];
  try {
    const head = await checkBackup(how.file);
    if (isRelayWanted(head, how)) {
      locks.push(holdRelayFolder(dataDir, { ...how, file: basename(how.file) }));
    }
    const database = url ? await openPostgres(url) : await openPglite(pgdataOf(dataDir), () => undefined);
    try {
      return { head, end: await load(database, dataDir, how, head) };
    } finally {
      await database.close();
    }
  } finally {
    for (const lock of locks) lock.release();
  }
}
