import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TokenPair } from "@mulkko/shared/rest/account";
import { accountLogin } from "@mulkko/shared/rest/operations/account";
import { createFakeClock, type FakeClock } from "@mulkko/shared/testing/fake-clock";
import { connectAsync, type IClientOptions, type MqttClient } from "mqtt";
import { hashSecret } from "../src/accounts/key.ts";
import { hashPassword } from "../src/accounts/passwords.ts";
import { insertAccount } from "../src/accounts/repository.ts";
import { build, type Overrides } from "../src/app.ts";
import { type Config, readConfig } from "../src/config.ts";
import type { App } from "../src/http/server.ts";
import { copyMigratedPglite } from "./pglite-template.ts";

/** Names in the test farm. */
export const PASSWORD = "plough+Field1";
export const RELAY_KEY = "relay-key-of-tests";
export const FARMER = "00000000-0000-4000-8000-000000000001";
export const NEIGHBOR = "00000000-0000-4000-8000-000000000002";
export const ADMIN = "00000000-0000-4000-8000-000000000003";
export const SOIL = { id: "10000000-0000-4000-8000-000000000001", serial: 100001, key: "key-of-soil" };
export const WEATHER = { id: "10000000-0000-4000-8000-000000000002", serial: 100002, key: "key-of-weather" };
export const COT = { id: "10000000-0000-4000-8000-000000000003", serial: 100003, key: "key-of-cot" };
export const FOREIGN = { id: "10000000-0000-4000-8000-000000000004", serial: 100004, key: "key-of-foreign" };
export const VALVES = { id: "20000000-0000-4000-8000-000000000001", serial: 200001, key: "key-of-valves" };
export const FOREIGN_VALVES = {
  id: "20000000-0000-4000-8000-000000000002",
  serial: 200002,
  key: "key-of-foreign-valves",
};

interface Owned {
  readonly id: string;
  readonly serial: number;
  readonly key: string;
}

/** The real app on an empty database with two farmers, an administrator and a few devices. */
export interface TestFarm {
  readonly app: App;
  readonly clock: FakeClock;
  readonly folder: string;
  /** Every log line. */
  readonly lines: string[];
  /** Delays of failed logins, ms. */
  readonly waits: number[];
  /** Sign in and return the authorization header. */
  signIn(username: string): Promise<{ authorization: string; pair: TokenPair }>;
  /** Connect as a device or another client. */
  connect(
    user: Owned | { username: string; password: string },
    options?: IClientOptions,
  ): Promise<MqttClient>;
  close(): Promise<void>;
}

async function insertDevice(app: App, device: Owned, kind: string, owner: string): Promise<void> {
  await app.database.query(
    "insert into device (id, serial, kind, account_id, key_hash, created_at) values ($1, $2, $3, $4, $5, now())",
    [device.id, device.serial, kind, owner, hashSecret(device.key)],
  );
}

async function insertSensor(
  app: App,
  device: Owned,
  sensor: { owner: string; type: string; farm: number | null; widget?: boolean; chNums?: number },
): Promise<void> {
  await insertDevice(app, device, "sensor", sensor.owner);
  await app.database.query(
    "insert into sensor (id, name, device_type, cluster_id, widget, ch_nums) values ($1, $2, $3, $4, $5, $6)",
    [
      device.id,
      `${sensor.type} ${device.serial}`,
      sensor.type,
      sensor.farm,
      sensor.widget ?? false,
      sensor.chNums ?? 0,
    ],
  );
}

async function fill(app: App): Promise<void> {
  const passwordHash = await hashPassword(PASSWORD);
  const people = [
    [FARMER, "farmer-one", "USER"],
    [NEIGHBOR, "farmer-two", "USER"],
    [ADMIN, "overseer", "ADMIN"],
  ] as const;
  for (const [id, username, userType] of people) {
    await insertAccount(app.database, { id, username, passwordHash, nickname: username, userType }, 0);
  }
  await app.database.query(
    "insert into cluster (account_id, name) values ($1, 'House'), ($2, 'Elsewhere'), ($1, 'Empty')",
    [FARMER, NEIGHBOR],
  );
  await insertSensor(app, SOIL, { owner: FARMER, type: "SMS", farm: 1, widget: true });
  await insertSensor(app, WEATHER, { owner: FARMER, type: "ATS02", farm: null });
  await insertSensor(app, COT, { owner: FARMER, type: "COT", farm: 1, chNums: 2 });
  await insertSensor(app, FOREIGN, { owner: NEIGHBOR, type: "SMS", farm: 2 });
  for (const [device, owner] of [
    [VALVES, FARMER],
    [FOREIGN_VALVES, NEIGHBOR],
  ] as const) {
    await insertDevice(app, device, "controller", owner);
    await app.database.query("insert into controller (id, name, type) values ($1, 'Valves', 'CON04V')", [
      device.id,
    ]);
    await app.database.query("insert into channel (controller_id, number) values ($1, 1), ($1, 2)", [
      device.id,
    ]);
  }
  await app.database.query("insert into channel_sensor (channel_id, sensor_id) values (1, $1)", [SOIL.id]);
  await app.deviceIndex.reload();
}

/** @param environment variables in addition to those of every test */
export async function startTestFarm(
  environment: Readonly<Record<string, string>> = {},
  options: { readonly empty?: boolean; readonly clock?: FakeClock } & Pick<
    Overrides,
    "onFatal" | "onStandBy"
  > = {},
): Promise<TestFarm> {
  const folder = await mkdtemp(join(tmpdir(), "mulkko-api-"));
  if (!environment.DATABASE_URL) await copyMigratedPglite(join(folder, "pgdata"));
  const clock = options.clock ?? createFakeClock();
  const lines: string[] = [];
  const waits: number[] = [];
  const config: Config = readConfig({
    API_PORT: "0",
    MQTT_HOST: "127.0.0.1",
    MQTT_PORT: "0",
    DATA_DIR: folder,
    DEMO: "off",
    RELAY_KEY,
    LOG_LEVEL: "trace",
    ...environment,
  });
  const app = await build(config, {
    clock,
    logStream: { write: (line) => lines.push(line) },
    wait: async (ms) => waits.push(ms),
    schedulesJobs: false,
    ...(options.onFatal ? { onFatal: options.onFatal } : {}),
    ...(options.onStandBy ? { onStandBy: options.onStandBy } : {}),
  });
  const clients: MqttClient[] = [];
  if (!options.empty) await fill(app);

  return {
    app,
    clock,
    folder,
    lines,
    waits,
    async signIn(username) {
      const answer = await app.inject({
        method: "POST",
        url: accountLogin.path,
        query: { username, password: PASSWORD },
      });
      const pair = answer.json<TokenPair>();
      return { authorization: `Bearer ${pair.accessToken}`, pair };
    },
    async connect(user, more = {}) {
      const account = "serial" in user ? { username: String(user.serial), password: user.key } : user;
      const client = await connectAsync(`mqtt://127.0.0.1:${app.mqttPort}`, {
        ...account,
        reconnectPeriod: 0,
        ...more,
      });
      client.on("error", () => undefined);
      clients.push(client);
      return client;
    },
    async close() {
      for (const client of clients) client.end(true);
      await app.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
