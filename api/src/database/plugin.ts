import { join } from "node:path";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { lockFolder } from "@mulkko/shared/server/folder-lock";
import type { FastifyBaseLogger } from "fastify";
import fp from "fastify-plugin";
import type { Database } from "./database.ts";
import { readInstallation } from "./installation.ts";
import { type Maintenance, startMaintenance } from "./maintenance.ts";
import { migrate } from "./migrate.ts";
import type { DatabaseOwnership } from "./ownership.ts";
import { openPglite } from "./pglite.ts";
import { openPostgres } from "./postgres.ts";

declare module "fastify" {
  interface FastifyInstance {
    database: Database;
    maintenance: Maintenance;
    /** Id of this installation, stored in its database; empty for one of before there was one. */
    installation: string;
  }
}

export interface DatabaseOptions {
  readonly url: string | undefined;
  /** The right to that PostgreSQL; the folder's lock is the right to the embedded database. */
  readonly ownership: DatabaseOwnership | null;
  readonly folder: string;
  readonly timezone: string;
  /** false: maintenance runs only when it is called. */
  readonly isScheduled: boolean;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Opens the embedded database of a folder; `onLost` is called if it ends by itself. */
  readonly openEmbedded?: OpenEmbedded;
  /** Keep what is there, before a migration of an existing database. */
  readonly beforeMigration: (database: Database) => Promise<void>;
  /** Complete what a migration left to the program, before anything else uses the database. */
  readonly afterMigration: (database: Database) => Promise<void>;
  /** Called if the database is lost for the rest of this process. */
  readonly onLost: (reason: string) => void;
}

export type OpenEmbedded = (folder: string, onLost: () => void) => Promise<Database>;

/** Open PostgreSQL, to be used only while this process owns it. */
async function openOwned(
  url: string,
  ownership: DatabaseOwnership,
  logger: FastifyBaseLogger,
  onLost: (reason: string) => void,
): Promise<Database> {
  const database = await openPostgres(url, { watched: true, isOwner: () => ownership.isOwner() });
  ownership.listen({
    suspended() {
      database.breakOff();
      logger.warn(
        { event: "database-lock-lost" },
        "lost the lock of the database: nothing is stored until it is back",
      );
    },
    lost: (holder) => onLost(`the database belongs to ${holder} now`),
  });
  return database;
}

/** Log a migration that has been made. @param migrating null where there was none */
function noteMigrated(
  logger: FastifyBaseLogger,
  migrating: { readonly from: number; readonly since: number } | null,
  to: number,
  now: number,
): void {
  if (migrating === null) return;
  const { from, since } = migrating;
  const ms = Math.round(now - since);
  logger.info({ event: "database-migrated", from, to, ms }, "migrated the database");
}

/** Most foreign files that are named in a warning. */
const MAX_NAMED = 10;

/**
 * Open the database with an up-to-date schema, and close it last. The folder is always locked, because it
 * also contains demo keys.
 */
export const databasePlugin = fp<DatabaseOptions>(
  async (app, options) => {
    const { url, ownership, folder, timezone, clock, timers, openEmbedded = openPglite } = options;
    const { beforeMigration, afterMigration, onLost } = options;
    const lock = lockFolder(folder);
    if (lock.foreign.length > 0) {
      app.log.warn(
        { event: "data-folder-shared", names: lock.foreign.slice(0, MAX_NAMED) },
        "DATA_DIR has files that are not Mulkko's: only Mulkko's are closed to other users, not the folder",
      );
    }
    const database =
      url && ownership
        ? await openOwned(url, ownership, app.log, onLost)
        : await openEmbedded(join(folder, "pgdata"), () => onLost("database thread died"));
    const maintenance = startMaintenance(database, app.log, {
      timezone,
      timers,
      isScheduled: options.isScheduled,
    });
    app.addHook("onClose", async () => {
      await maintenance.stop();
      await database.close();
      lock.release();
      await ownership?.close();
    });
    let migrating: { readonly from: number; readonly since: number } | null = null;
    const schema = await migrate(database, async (from, to) => {
      if (from === 0) return;
      app.log.info(
        { event: "database-migrating", from, to },
        `migrating the database from schema ${from} to ${to}`,
      );
      await beforeMigration(database);
      migrating = { from, since: clock.monotonic() };
    });
    noteMigrated(app.log, migrating, schema, clock.monotonic());
    await ownership?.begin(database);
    app.decorate("installation", await readInstallation(database));
    await afterMigration(database);
    app.decorate("database", database);
    app.decorate("maintenance", maintenance);
  },
  { name: "database" },
);
