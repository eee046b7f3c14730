import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { findAccountByName, hasAccounts } from "../accounts/repository.ts";
import type { App } from "../http/server.ts";
import { startDemo } from "./demo.ts";
import { insertDemoFarm, renewDemoKeys } from "./demo-farm.ts";
import { insertDemoHistory } from "./demo-history.ts";
import { demoKeys } from "./demo-keys.ts";
import { insertDemoNotifications } from "./demo-notifications.ts";
import { DEMO_ACCOUNTS, DEMO_CONTROLLERS, DEMO_DEVICES } from "./farm.ts";
import { createReplay, loadRecordings } from "./replay.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** The demo devices' keys by serial; null without a demo. */
    demoKeys: ReadonlyMap<number, string> | null;
  }
}

export interface DemoPluginOptions {
  readonly on: boolean;
  readonly folder: string;
  /** URL of an external broker; undefined: the embedded one. */
  readonly mqttUrl: string | undefined;
  readonly intervalMs: number;
  readonly zone: ApiTimeZone;
  readonly clock: Clock;
}

/** Create the demo farm at the first start, and run its devices over MQTT like any other. */
export const demoPlugin = fp<DemoPluginOptions>(
  async (app: App, { on, folder, mqttUrl, intervalMs, zone, clock }) => {
    const { database } = app;
    const isEmpty = !(await hasAccounts(database));
    const isDemo =
      isEmpty || (await findAccountByName(database, DEMO_ACCOUNTS[0]?.username ?? "")) !== undefined;
    if (on && !isDemo)
      app.log.warn(
        { event: "demo-refused" },
        "DEMO is on, but the database contains a real farm: demo not started",
      );
    if (!on || !isDemo) {
      app.decorate("demoKeys", null);
      return;
    }
    const serials = [...DEMO_DEVICES, ...DEMO_CONTROLLERS].map(({ serial }) => serial);
    const keys = await demoKeys(folder, serials);
    app.decorate("demoKeys", keys);
    const replay = createReplay(loadRecordings());
    const started = clock.monotonic();
    const now = clock.now();
    if (isEmpty) {
      await insertDemoFarm(database, keys, now);
      await insertDemoNotifications({ database, outputs: app.ingest.outputs, zone }, now);
    } else {
      await renewDemoKeys(database, keys);
    }
    const rows = await insertDemoHistory(database, replay, now);
    app.maintenance.wrote(rows);
    // Update the planner's statistics, which otherwise happens only at night.
    if (isEmpty) await database.exec("analyze");
    await app.deviceIndex.reload();
    if (rows > 0)
      app.log.info(
        { event: "demo-history-written", rows, ms: Math.round(clock.monotonic() - started) },
        "wrote demo history",
      );

    const brokerUrl = mqttUrl ?? `mqtt://127.0.0.1:${app.mqttPort}`;
    let demo: { stop(): void } | undefined;
    app.addHook("onReady", async () => {
      const logger = app.log.child({ part: "demo" });
      const deviceKey = (serial: number): string => keys.get(serial) ?? "";
      demo = startDemo({ brokerUrl, deviceKey, clock, logger, intervalMs, replay });
    });
    app.addHook("preClose", async () => demo?.stop());
  },
  { name: "demo", dependencies: ["database", "broker"] },
);
