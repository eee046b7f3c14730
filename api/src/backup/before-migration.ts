import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../database/database.ts";
import { SchemaError } from "../database/migrate.ts";
import { type BackupOptions, createBackupService } from "./backup-service.ts";
import { clearRelayCopy } from "./relay-store.ts";
import { clearSnapshot } from "./snapshot.ts";
import { clearUnfinished, keepBackup, listStored } from "./stored-backups.ts";

const DAY_MS = 24 * 3_600_000;

/**
 * Back up the embedded database before it is migrated, with the schema that it has: the former version restores it, and
 * so does this one. PostgreSQL may be too large for that, and has tools of its own: only a missing backup is named.
 *
 * @throws SchemaError where no backup could be made: the start ends with its sentence, and nothing is changed
 */
export async function backUpBeforeMigration(
  database: Database,
  logger: FastifyBaseLogger,
  { isOn, ...options }: BackupOptions & { readonly isOn: boolean },
): Promise<void> {
  const { dataDir, clock } = options;
  if (!isOn) return;
  if (database.kind === "postgres") {
    const [newest] = await listStored(dataDir);
    if (newest && clock.now() - newest.at < DAY_MS) return;
    logger.warn(
      { event: "migration-without-backup", newest: newest?.name },
      "no backup of the last day in DATA_DIR",
    );
    return;
  }
  try {
    await clearSnapshot(dataDir);
    await clearRelayCopy(dataDir);
    await clearUnfinished(dataDir);
    const name = await keepBackup(dataDir, createBackupService(database, logger, options), clock.now());
    logger.info(
      { event: "backup-before-migration", name },
      `stored verified backup ${name} before the migration`,
    );
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SchemaError(
      `The database must be migrated, and no backup of it could be made (${reason}). Nothing was changed: make it possible, or start with BACKUPS=off where there is another backup.`,
      { cause },
    );
  }
}
