import { join } from "node:path";
import { lockFolder } from "@mulkko/shared/server/folder-lock";
import fp from "fastify-plugin";
import type { Database } from "./database.ts";
import { type Maintenance, startMaintenance } from "./maintenance.ts";
import { migrate } from "./migrate.ts";
import { openPglite } from "./pglite.ts";
import { openPostgres } from "./postgres.ts";

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
  /** Complete what a migration left to the program, before anything else uses the database. */
  readonly afterMigration: (database: Database) => Promise<void>;
  /** Called if the database is lost for the rest of this process. */
  readonly onLost: () => void;
}

/**
 * Open the database with an up-to-date schema, and close it last. The folder is always locked, because it
 * also contains demo keys.
 */
export const databasePlugin = fp<DatabaseOptions>(
  async (app, { url, folder, timezone, afterMigration, onLost }) => {
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
    await afterMigration(database);
    app.decorate("database", database);
    app.decorate("maintenance", maintenance);
  },
  { name: "database" },
);
