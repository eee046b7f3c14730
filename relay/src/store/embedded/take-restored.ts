import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { RESTORED_STORE_FILE } from "@mulkko/shared/store/relay-files";
import { prepareSchema } from "./durable.ts";

/**
 * Replace the relay's store by the one that a restore put beside it. The caller holds the folder, and no
 * process has either file open. Each account's event log gets a new epoch: screens know events from after the
 * backup, and their numbers will be used again.
 * @param file the relay's store, or `:memory:`
 * @param newEpoch names a log
 * @throws NewerSchemaError for a store of a newer version; both are left unchanged
 */
export function takeRestored(file: string, newEpoch: () => string): void {
  const restored = join(dirname(file), RESTORED_STORE_FILE);
  if (file === ":memory:" || !existsSync(restored)) return;
  const database = new DatabaseSync(restored);
  try {
    prepareSchema(database, restored);
    const accounts = database.prepare("SELECT account FROM accounts").all();
    const rename = database.prepare("UPDATE accounts SET event_epoch = ? WHERE account = ?");
    // Without a write-ahead log beside it, the file alone can be moved.
    database.exec("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; BEGIN");
    for (const { account } of accounts) rename.run(newEpoch(), account ?? null);
    database.exec("COMMIT");
  } finally {
    database.close();
  }
  // The old file's log would be applied to the new one. After a crash before the
  // move the next start does both again.
  for (const end of ["-wal", "-shm"]) rmSync(file + end, { force: true });
  renameSync(restored, file);
}
