import { relayStorage } from "@mulkko/shared/rest/operations/relay-calls";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { repeat } from "@mulkko/shared/server/node-timers";
import fp from "fastify-plugin";
import { createRelayKeyCheck } from "../accounts/key.ts";
import { routeOf } from "../http/operation-route.ts";
import type { App } from "../http/server.ts";
import { readDisk } from "./disk.ts";
import { createStorageWatch, type StorageWatch } from "./storage-watch.ts";

declare module "fastify" {
  interface FastifyInstance {
    storage: StorageWatch;
  }
}

const LOOK_EVERY_MS = 5_000;

export interface StorageOptions {
  /** The data folder. */
  readonly folder: string;
  readonly relayKey: string | undefined;
  readonly clock: Clock;
  readonly timers: Timers;
}

/** Report if readings are stored, checked by a test write; the relay asks with the shared key. */
export const storagePlugin = fp<StorageOptions>(
  async (app: App, { folder, relayKey, clock, timers }) => {
    const { database, broker, ingest } = app;
    const logger = app.log.child({ part: "storage" });
    const storage = createStorageWatch({
      database,
      broker,
      readDisk: () => readDisk(folder),
      clock,
      logger,
    });
    ingest.whenRefused(storage.refused);
    const regularly = repeat(timers, LOOK_EVERY_MS, () => void storage.look());
    app.addHook("onClose", async () => regularly.cancel());
    app.decorate("storage", storage);

    if (!relayKey) return;
    const admit = createRelayKeyCheck(relayKey);
    app.route({
      ...routeOf(relayStorage, {
        tags: ["relay"],
        summary:
          "Return the state of the readings' storage, by the header relayKey (extension relay-storage)",
      }),
      async handler(request) {
        admit(request);
        await storage.look();
        return storage.state;
      },
    });
  },
  { name: "storage", dependencies: ["database", "broker", "errors"] },
);
