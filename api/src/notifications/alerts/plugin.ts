import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { repeat } from "@mulkko/shared/server/node-timers";
import fp from "fastify-plugin";
import { createNotifier } from "./notifier.ts";
import { Alerts } from "./watch.ts";

declare module "fastify" {
  interface FastifyInstance {
    alerts: Alerts;
  }
}

export interface AlertOptions {
  /** URL of the web client. */
  readonly publicUrl: string;
  readonly zone: ApiTimeZone;
  readonly clock: Clock;
  readonly timers: Timers;
}

const LOOK_EVERY_MS = 60_000;

/** Notify owners of problems with their devices. */
export const alertsPlugin = fp<AlertOptions>(
  async (app, { publicUrl, zone, clock, timers }) => {
    const { database, deviceIndex, broker, storage, ingest, mailer } = app;
    const logger = app.log.child({ part: "alerts" });
    const { outputs } = ingest;
    const notifier = createNotifier({ database, outputs, mailer, publicUrl, zone });
    const alerts = new Alerts({
      database,
      deviceIndex,
      canReceive: () => database.isUp() && broker.isUp() && storage.state.fault === null,
      notifier,
      clock,
      logger,
    });
    ingest.onContacts((batch) => alerts.received(batch));
    outputs.nameReturns((deviceId) => alerts.backAt(deviceId));
    await alerts.load();
    const regularly = repeat(timers, LOOK_EVERY_MS, () => void alerts.look());
    app.addHook("onClose", async () => {
      regularly.cancel();
      await alerts.stop();
    });
    app.decorate("alerts", alerts);
  },
  { name: "alerts", dependencies: ["database", "broker", "storage", "mail"] },
);
