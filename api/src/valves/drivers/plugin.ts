import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { repeat } from "@mulkko/shared/server/node-timers";
import fp from "fastify-plugin";
import type { KnownDevice } from "../../devices/device-index.ts";
import type { Valves } from "../driven-valves.ts";
import { createValves } from "./soft-controller.ts";
import { createSoftStore } from "./soft-store.ts";
import { StoreOutage } from "./store-outage.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Controllers whose valves only open and close: this process runs their watering modes. */
    valves: Valves;
  }
}

const LOOK_MS = 500;

export const valvesPlugin = fp<{ clock: Clock; timers: Timers }>(
  async (app, { clock, timers }) => {
    const { database, deviceIndex, ingest, broker } = app;
    const logger = app.log.child({ part: "valves" });
    const store = createSoftStore(database);
    const outage = new StoreOutage(logger);
    const valves = createValves(deviceIndex, { store, ingest, broker, clock, logger, outage });
    app.decorate("valves", valves);
    app.handleFirst(valves.handle);
    const ask = (device: KnownDevice, number: number): void => {
      valves
        .ask(device.id, number)
        .catch((error: unknown) =>
          logger.warn(
            { event: "valve-not-asked", err: error, serial: device.serial },
            "cannot ask controller",
          ),
        );
    };
    ingest.whenContested(ask);
    // What was asked before a restart or a lost connection had no answer (ORD-5).
    const askAgain = (device: KnownDevice): void => {
      for (const { number } of device.channels) if (ingest.isUnknown(device.id, number)) ask(device, number);
    };
    app.whenSubscribed((device) => {
      for (const { number } of device.channels) {
        // What was said before the loss may be over (LINK-3).
        const { isBeforeLoss } = ingest.links.ofChannel(device.id, number);
        if (isBeforeLoss || ingest.isUnknown(device.id, number)) ask(device, number);
      }
    });
    let isAsked = false;
    const askAtStart = (): void => {
      if (isAsked || !broker.isUp()) return;
      isAsked = true;
      for (const device of deviceIndex.all()) askAgain(device);
    };
    let looking: Promise<void> | undefined;
    const failed = (error: unknown): void =>
      logger.warn({ event: "valve-check-failed", err: error }, "cannot check valves");
    const regularly = repeat(timers, LOOK_MS, () => {
      // Not in turn: a store that hangs delays no close.
      valves.closeDue().catch(failed);
      if (looking) return;
      askAtStart();
      looking = Promise.all([valves.look(), ingest.settle()])
        .then(() => undefined)
        .catch(failed)
        .finally(() => {
          looking = undefined;
        });
    });
    app.addHook("preClose", async () => {
      regularly.cancel();
      await looking;
    });
  },
  { name: "valves", dependencies: ["database", "broker"] },
);
