import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { startDemo } from "../demo/demo.ts";
import { DEMO_ACCOUNTS, DEMO_CONTROLLERS, DEMO_DEVICES } from "../demo/farm.ts";
import { createReplay, loadRecordings } from "../demo/replay.ts";
import type { App } from "../http/server.ts";
import { findAccountByName, hasAccounts } from "../modules/account/repository.ts";
import { insertDemoFarm, renewDemoKeys } from "../seed/demo-farm.ts";
import { insertDemoHistory } from "../seed/demo-history.ts";
import { demoKeys } from "../seed/demo-keys.ts";
import { insertDemoNotifications } from "../seed/demo-notifications.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** The demo devices' keys by serial; null where there is no demo. */
    demoKeys: ReadonlyMap<number, string> | null;
  }
}

export interface DemoPluginOptions {
  readonly on: boolean;
  readonly folder: string;
  /** A broker elsewhere; undefined: the embedded one. */
  readonly mqttUrl: string | undefined;
  readonly intervalMs: number;
  readonly zone: ApiTimeZone;
  readonly clock: Clock;
}

/** The demo farm: written at first start, then alive over MQTT like any other. */
export const demoPlugin = fp<DemoPluginOptions>(
  async (app: App, { on, folder, mqttUrl, intervalMs, zone, clock }) => {
    const { database } = app;
    const isEmpty = !(await hasAccounts(database));
    const isDemo =
      isEmpty || (await findAccountByName(database, DEMO_ACCOUNTS[0]?.username ?? "")) !== undefined;
    if (on && !isDemo) app.log.warn("DEMO is on, but this is somebody's farm: the demo stays away");
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
    // The planner learns what came in; nothing else tells it before the night.
    if (isEmpty) await database.exec("analyze");
    await app.directory.reload();
    if (rows > 0) app.log.info({ rows, ms: Math.round(clock.monotonic() - started) }, "demo history written");

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
