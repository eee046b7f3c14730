import type { Readable } from "node:stream";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { Type } from "typebox";
import { ApiError } from "../http/api-error.ts";
import type { App } from "../http/server.ts";
import { recordDeed } from "../modules/audit/repository.ts";
import { callerOf } from "../plugins/auth.ts";
import { clearRelayCopy, copyRelayStore } from "./relay-store.ts";
import { createGzipSink } from "./sink.ts";
import { clearSnapshot, openSnapshot, type Place } from "./snapshot.ts";
import { type Sources, writeBackup } from "./write.ts";

/** `mulkko-2026-11-21T0905Z.backup.gz` */
const nameAt = (now: number): string =>
  `mulkko-${new Date(now).toISOString().slice(0, 16).replace(":", "")}Z.backup.gz`;

export interface BackupOptions extends Place {
  /** What the relay remembers is not in a folder then. */
  readonly isRelayOnRedis: boolean;
  readonly clock: Clock;
}

/** The whole farm as one file, taken while everything goes on. */
export const backupRoutes = fp<BackupOptions>(
  async (app: App, { url, dataDir, isRelayOnRedis, clock }) => {
    const { database } = app;
    let running: { readonly stop: () => void; readonly done: Promise<void> } | null = null;
    let isBusy = false;
    await clearSnapshot(dataDir);
    await clearRelayCopy(dataDir);

    const relayPart = async (): Promise<Sources["relay"]> => {
      if (isRelayOnRedis) return "redis";
      const copy = await copyRelayStore(dataDir);
      return copy === null ? "none" : { copy };
    };

    const begin = async () => {
      const now = clock.now();
      const snapshot = await openSnapshot(database, { url, dataDir });
      const relay = await relayPart().catch(async (error: unknown) => {
        await snapshot.close();
        throw error;
      });
      const { sink, stream } = createGzipSink();
      const write = async (): Promise<void> => {
        try {
          await snapshot.read((tx) => writeBackup(tx, sink, { dataDir, now, engine: database.kind, relay }));
        } finally {
          await snapshot.close();
          await clearRelayCopy(dataDir);
        }
      };
      const done = write()
        .then(
          () => {
            app.log.info({ relay: typeof relay === "string" ? relay : "kept" }, "a backup was made");
            stream.end();
          },
          (error: unknown) => {
            app.log.warn({ err: error }, "a backup was not finished");
            // The file ends in its middle, so that nobody takes it for whole.
            stream.destroy(error instanceof Error ? error : undefined);
          },
        )
        .finally(() => {
          isBusy = false;
          running = null;
        });
      running = { stop: () => stream.destroy(), done };
      return { stream, name: nameAt(now) };
    };

    app.addHook("preClose", async () => running?.stop());
    app.addHook("onClose", async () => running?.done);

    app.route({
      method: "GET",
      url: "/api/v1/admin/backup",
      exposeHeadRoute: false,
      onRequest: app.authenticateAdminPerson,
      schema: {
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
      },
      async handler(request, reply) {
        if (isBusy) throw new ApiError(409, "conflict", "a backup is being made already");
        isBusy = true;
        try {
          const { account: actor } = callerOf(request);
          const subject = { kind: "farm-api", id: "", name: "backup" };
          await recordDeed(database, { actor, action: "backup-download", subject }, clock.now());
          const { stream, name } = await begin();
          return reply
            .headers({
              "content-type": "application/gzip",
              "content-disposition": `attachment; filename="${name}"`,
              "cache-control": "no-store",
            })
            .send(stream);
        } catch (error) {
          isBusy = false;
          throw error;
        }
      },
    });
  },
  { name: "backup", dependencies: ["database", "auth", "errors"] },
);
