import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
import { parseJson } from "@mulkko/shared/schema/parse";
import fp from "fastify-plugin";
import { Type } from "typebox";
import { newDeviceKey } from "../accounts/key.ts";
import { findAccountByName, hasAccounts } from "../accounts/repository.ts";
import type { App } from "../http/server.ts";
import { sentenceOf } from "../notifications/alerts/messages.ts";
import { notify } from "../notifications/repository.ts";
import { startDemo } from "./demo.ts";
import { insertDemoFarm, renewDemoKeys } from "./demo-farm.ts";
import { insertDemoHistory } from "./demo-history.ts";
import { DemoLogin, publishedAccounts } from "./demo-login.ts";
import { DEMO_ACCOUNTS, DEMO_CONTROLLERS, DEMO_DEVICES } from "./farm.ts";
import { createReplay, loadRecordings } from "./replay.ts";

const MINUTE_MS = 60_000;

const NOTIFICATIONS = [
  { username: "farmer", type: "DEVICE", name: "양액 탱크", minutesAgo: 52, unread: true },
  {
    username: "farmer",
    type: "RSSI",
    name: "퇴비장 (합성)",
    value: -113,
    minutesAgo: 3 * 60 + 14,
    unread: true,
  },
  {
    username: "farmer",
    type: "BATTERY",
    name: "육묘장 토양수분",
    value: 19,
    minutesAgo: 26 * 60,
    unread: false,
  },
  {
    username: "neighbor",
    type: "BATTERY",
    name: "토마토 2동 토양수분",
    value: 18,
    minutesAgo: 7 * 60,
    unread: true,
  },
] as const;

/** Insert some past events of the demo farm. @param now ms since 1970 UTC */
async function insertDemoNotifications(parts: Parameters<typeof notify>[0], now: number): Promise<void> {
  for (const { username, type, name, minutesAgo, unread, ...more } of NOTIFICATIONS) {
    const account = DEMO_ACCOUNTS.find((one) => one.username === username);
    if (!account) continue;
    const at = now - minutesAgo * MINUTE_MS;
    const value = "value" in more ? more.value : at - 60 * MINUTE_MS;
    const message = sentenceOf(type, name, value, account);
    await notify(parts, { accountId: account.id, type, message, at, unread });
  }
}

const FILE = "demo-keys.json";
const Keys = Type.Record(Type.String(), Type.String({ pattern: "^[0-9a-f]{32}$" }));

/** Return the demo devices' keys by serial, from a file that only its owner can read; create missing ones. */
async function demoKeys(folder: string, serials: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const file = join(folder, FILE);
  const stored = existsSync(file) ? parseJson(Keys, await readFile(file, "utf8")) : undefined;
  const known = stored?.ok ? stored.value : {};
  const keys = new Map(serials.map((serial) => [serial, known[String(serial)] ?? newDeviceKey()]));
  await writeFile(`${file}.new`, `${JSON.stringify(Object.fromEntries(keys), null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return keys;
}

declare module "fastify" {
  interface FastifyInstance {
    /** The demo devices' keys by serial; null without a demo. */
    demoKeys: ReadonlyMap<number, string> | null;
    /** Null without a demo. */
    demoLogin: DemoLogin | null;
  }
}

export interface DemoPluginOptions {
  readonly on: boolean;
  /** True if others than this machine reach the demo. */
  readonly isInReach: boolean;
  readonly folder: string;
  /** URL of an external broker; undefined: the embedded one. */
  readonly mqttUrl: string | undefined;
  readonly intervalMs: number;
  readonly zone: ApiTimeZone;
  readonly clock: Clock;
}

/** Create the demo farm at the first start, and run its devices over MQTT like any other. */
export const demoPlugin = fp<DemoPluginOptions>(
  async (app: App, { on, isInReach, folder, mqttUrl, intervalMs, zone, clock }) => {
    const { database } = app;
    const isEmpty = !(await hasAccounts(database));
    const isDemo =
      isEmpty || (await findAccountByName(database, DEMO_ACCOUNTS[0]?.username ?? "")) !== undefined;
    if (on && !isDemo)
      app.log.warn(
        { event: "demo-refused" },
        "DEMO is on, but the database contains a real farm: demo not started",
      );
    if (!on && isDemo && !isEmpty) {
      const names = await publishedAccounts(database);
      if (names.length > 0)
        app.log.warn(
          { event: "demo-accounts-refused", names },
          `DEMO is off, but DATA_DIR is the demo's: ${names.join(", ")} cannot sign in with the published password. Set one with "npx -y pnpm@12 --filter api run set-password --user ${names.at(-1)}", or choose another DATA_DIR for a farm of your own`,
        );
    }
    if (!on || !isDemo) {
      app.decorate("demoKeys", null);
      app.decorate("demoLogin", null);
      return;
    }
    const serials = [...DEMO_DEVICES, ...DEMO_CONTROLLERS].map(({ serial }) => serial);
    const keys = await demoKeys(folder, serials);
    app.decorate("demoKeys", keys);
    const login = await DemoLogin.open(database, folder, isInReach);
    app.decorate("demoLogin", login);
    const replay = createReplay(loadRecordings());
    const started = clock.monotonic();
    const now = clock.now();
    if (isEmpty) {
      await insertDemoFarm(database, keys, login.password, now);
      await insertDemoNotifications({ database, outputs: app.ingest.outputs, zone }, now);
    } else {
      await renewDemoKeys(database, keys);
      await login.replacePublished(clock);
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
