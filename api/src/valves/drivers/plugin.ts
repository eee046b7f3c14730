import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import type { Valves } from "../driven-valves.ts";
import { createValves } from "./soft-controller.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Controllers whose valves only open and close: this process runs their watering modes. */
    valves: Valves;
  }
}

const LOOK_MS = 500;

export const valvesPlugin = fp<{ clock: Clock }>(
  async (app, { clock }) => {
    const { database, deviceIndex, ingest, broker } = app;
    const logger = app.log.child({ part: "valves" });
    const valves = createValves(deviceIndex, { database, ingest, broker, clock, logger });
    app.decorate("valves", valves);
    app.handleFirst(valves.handle);
    ingest.whenContested((device, number) => {
      valves
        .ask(device.id, number)
        .catch((error: unknown) =>
          logger.warn(
            { event: "valve-not-asked", err: error, serial: device.serial },
            "cannot ask controller",
          ),
        );
    });
    let looking: Promise<void> | undefined;
    const timer = setInterval(() => {
      if (looking) return;
      looking = Promise.all([valves.look(), ingest.settle()])
        .then(() => undefined)
        .catch((error: unknown) =>
          logger.warn({ event: "valve-check-failed", err: error }, "cannot check valves"),
        )
        .finally(() => {
          looking = undefined;
        });
    }, LOOK_MS);
    app.addHook("preClose", async () => {
      clearInterval(timer);
      await looking;
    });
  },
  { name: "valves", dependencies: ["database", "broker"] },
);
