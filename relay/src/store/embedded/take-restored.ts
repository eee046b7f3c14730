import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { RESTORED_STORE_FILE } from "@mulkko/shared/store/relay-files";
import { prepareSchema } from "./schema.ts";

/**
 * Takes a store that a restore has put beside the relay's, in its place. The caller holds the folder, and nobody
 * has either file open.
 *
 * Each account's log of events gets a new name: screens know events that came after the backup, and the numbers of
 * those are given again.
 *
 * @param file the relay's store, or `:memory:`
 * @param newEpoch names a log
 * @throws NewerSchemaError for a store of a newer version; both are left as they are
 */
export function takeRestored(file: string, newEpoch: () => string): void {
  const restored = join(dirname(file), RESTORED_STORE_FILE);
  if (file === ":memory:" || !existsSync(restored)) return;
  const database = new DatabaseSync(restored);
  try {
    prepareSchema(database, restored);
    const accounts = database.prepare("SELECT account FROM accounts").all();
    const rename = database.prepare("UPDATE accounts SET event_epoch = ? WHERE account = ?");
    // One file, without a log beside it: only that is moved.
    database.exec("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; BEGIN");
    for (const { account } of accounts) rename.run(newEpoch(), account ?? null);
    database.exec("COMMIT");
  } finally {
    database.close();
  }
  // The log of the old file would be applied to the new one. Whoever dies between here and the move begins anew.
  for (const end of ["-wal", "-shm"]) rmSync(file + end, { force: true });
  renameSync(restored, file);
}
