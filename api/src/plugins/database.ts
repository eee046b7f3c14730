import { join } from "node:path";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import type { Database } from "../database/database.ts";
import { lockFolder } from "../database/folder-lock.ts";
import { type Maintenance, startMaintenance } from "../database/maintenance.ts";
import { migrate } from "../database/migrate.ts";
import { openPglite } from "../database/pglite.ts";
import { openPostgres } from "../database/postgres.ts";
import { rebuildWhereMissing } from "../history/rebuild.ts";

declare module "fastify" {
  interface FastifyInstance {
    database: Database;
    maintenance: Maintenance;
  }
}

export interface DatabaseOptions {
  readonly url: string | undefined;
  readonly folder: string;
  readonly timezone: string;
  readonly clock: Clock;
  /** Called if the database is lost for as long as this process lives. */
  readonly onLost: () => void;
}

/**
 * Opens the system of record with its schema up to date, and closes it last of all. The folder is held by a lock
 * in either case, as demo keys live there too.
 */
export const databasePlugin = fp<DatabaseOptions>(
  async (app, { url, folder, timezone, clock, onLost }) => {
    const lock = lockFolder(folder);
    const database = url
      ? await openPostgres(url, { watched: true })
      : await openPglite(join(folder, "pgdata"), onLost);
    const maintenance = startMaintenance(database, app.log, timezone);
    app.addHook("onClose", async () => {
      await maintenance.stop();
      await database.close();
      lock.release();
    });
    await migrate(database);
    await rebuildWhereMissing(database, clock.now());
    app.decorate("database", database);
    app.decorate("maintenance", maintenance);
  },
  { name: "database" },
);
