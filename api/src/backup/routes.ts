import type { Readable } from "node:stream";
import type { BackupState } from "@mulkko/shared/rest/admin";
import { adminBackup, adminBackups } from "@mulkko/shared/rest/operations/admin";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import fp from "fastify-plugin";
import { Type } from "typebox";
import { callerOf } from "../accounts/auth.ts";
import { recordAuditEntry } from "../audit/repository.ts";
import { routeOf } from "../http/operation-route.ts";
import type { App } from "../http/server.ts";
import { type BackupOptions, createBackupService } from "./backup-service.ts";
import { clearRelayCopy } from "./relay-store.ts";
import { clearSnapshot } from "./snapshot.ts";
import { clearUnfinished, keepBackup, listStored, OVERDUE_MS } from "./stored-backups.ts";

declare module "fastify" {
  interface FastifyInstance {
    backups: {
      /** Return the stored backups, and if the newest is too old. */
      state(): Promise<BackupStatus>;
      /**
       * Make and store a verified backup if the newest is older than `minAgeMs` and backups are made here.
       *
       * @returns its name; null where none was due
       */
      keep(minAgeMs: number): Promise<string | null>;
    };
  }
}

/** The state of backups with the time of the newest, ms since 1970 UTC. */
export interface BackupStatus extends Omit<BackupState, "newestDate"> {
  readonly newest: number | null;
}

interface BackupRouteOptions extends BackupOptions {
  readonly zone: ApiTimeZone;
  /** False where backups are made elsewhere and their age is not monitored. */
  readonly isOn: boolean;
}

/** Back up the whole farm into one file during operation: on request and every night. */
export const backupRoutes = fp<BackupRouteOptions>(
  async (app: App, { zone, isOn, ...options }) => {
    const { database } = app;
    const { dataDir, clock } = options;
    await clearSnapshot(dataDir);
    await clearRelayCopy(dataDir);
    await clearUnfinished(dataDir);
    const backups = createBackupService(database, app.log, options);
    // PostgreSQL has its own tools for databases too large to be read row by row every night.
    const kept = !isOn ? "off" : database.kind === "pglite" ? "nightly" : "own-tools";
    const [began] = await database.query<{ at: number | null }>(
      "select min(applied_at) as at from schema_migration",
    );
    const beganAt = began?.at ?? clock.now();

    const state = async (): Promise<BackupStatus> => {
      const found = await listStored(dataDir);
      const newest = found[0]?.at ?? null;
      const overdue = kept !== "off" && clock.now() - (newest ?? beganAt) > OVERDUE_MS;
      return { kept, newest, count: found.length, overdue };
    };
    app.decorate("backups", {
      state,
      async keep(minAgeMs) {
        const { newest } = await state();
        if (kept !== "nightly" || (newest !== null && clock.now() - newest < minAgeMs)) return null;
        return keepBackup(dataDir, backups, clock.now());
      },
    });
    app.addHook("preClose", async () => backups.stop());
    app.addHook("onClose", async () => backups.stopped());

    app.route({
      ...routeOf(adminBackups, {
        tags: ["admin"],
        summary: "Return the time of the newest backup (extension backups)",
      }),
      onRequest: app.authenticateAdminPerson,
      async handler() {
        const { newest, ...rest } = await state();
        return { ...rest, newestDate: newest === null ? null : zone.toApi(newest) };
      },
    });

    app.route({
      ...routeOf(adminBackup, {
        tags: ["admin"],
        summary: "Everything as one packed file, with hashes of passwords and keys; one at a time, else 409",
        response: {
          200: {
            description: "Lines of JSON, packed with gzip",
            content: {
              "application/gzip": { schema: Type.Unsafe<Readable>({ type: "string", format: "binary" }) },
            },
          },
        },
      }),
      exposeHeadRoute: false,
      onRequest: app.authenticateAdminPerson,
      async handler(request, reply) {
        const { account: actor } = callerOf(request);
        const subject = { kind: "farm-api", id: "", name: "backup" };
        const { stream, name } = await backups.make(() =>
          recordAuditEntry(database, { actor, action: "backup-download", subject }, clock.now()),
        );
        return reply
          .headers({
            "content-type": "application/gzip",
            "content-disposition": `attachment; filename="${name}"`,
            "cache-control": "no-store",
          })
          .send(stream);
      },
    });
  },
  { name: "backup", dependencies: ["database", "auth", "errors"] },
);
