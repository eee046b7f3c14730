import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { createDelivery, type Delivery, MODES } from "./delivery.ts";

declare module "fastify" {
  interface FastifyInstance {
    delivery: Delivery;
  }
}

/** Watering settings on their way to the controllers: at each save, and whenever a controller begins to listen. */
export const wateringPlugin = fp<{ clock: Clock }>(
  async (app, { clock }) => {
    const { database, directory, broker, valves } = app;
    const logger = app.log.child({ part: "watering" });
    const delivery = createDelivery({ database, directory, broker, valves, clock, logger });
    app.decorate("delivery", delivery);
    app.whenListening((device) => {
      if (device.channels.length > 0) void delivery.tell(device, null, MODES);
    });
  },
  { name: "watering", dependencies: ["database", "broker", "valves"] },
);
