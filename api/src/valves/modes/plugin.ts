import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { createDelivery, type Delivery, MODES } from "./delivery.ts";

declare module "fastify" {
  interface FastifyInstance {
    delivery: Delivery;
  }
}

/** Send watering settings to controllers at each save, and whenever a controller subscribes. */
export const wateringPlugin = fp<{ clock: Clock; timers: Timers }>(
  async (app, { clock, timers }) => {
    const { database, deviceIndex, broker, valves } = app;
    const logger = app.log.child({ part: "watering" });
    const delivery = createDelivery({ database, deviceIndex, broker, valves, clock, timers, logger });
    app.addHook("onClose", async () => delivery.stop());
    app.decorate("delivery", delivery);
    app.whenSubscribed((device) => {
      if (device.channels.length > 0) void delivery.send(device, null, MODES);
    });
  },
  { name: "watering", dependencies: ["database", "broker", "valves"] },
);
