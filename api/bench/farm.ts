import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashSecret } from "../src/accounts/key.ts";
import { hashPassword } from "../src/accounts/passwords.ts";
import { insertAccount } from "../src/accounts/repository.ts";
import { build } from "../src/app.ts";
import { type Config, readConfig } from "../src/config.ts";
import type { Database } from "../src/database/database.ts";
import type { App } from "../src/http/server.ts";

const ACCOUNT = "00000000-0000-4000-8000-000000000001";
const USERNAME = "bench-farmer";
const PASSWORD = "bench+Farmer1";

/** Key of every device in a benchmark. */
export const DEVICE_KEY = "bench-device-key-0123456789abcdef";
export const serialOf = (index: number): number => 700_000 + index;
export const sensorIdOf = (index: number): string =>
  `10000000-0000-4000-8000-${String(index).padStart(12, "0")}`;

/** The farm API in this process, with sensors of one type and nothing stored. */
export interface BenchFarm {
  readonly app: App;
  /** Send a GET request as the farmer over HTTP. */
  get(path: string): Promise<{ text: string; ms: number }>;
  close(): Promise<void>;
}

/** Return the configuration of the farm API in every benchmark. */
export const benchConfig = (folder: string, environment: Readonly<Record<string, string>> = {}): Config =>
  readConfig({
    API_PORT: "0",
    MQTT_HOST: "127.0.0.1",
    MQTT_PORT: "0",
    DATA_DIR: folder,
    DEMO: "off",
    LOG_LEVEL: "fatal",
    ...environment,
  });

/** Insert sensors of one type into an empty database. */
export async function fillFarm(database: Database, sensors: number, type: string): Promise<void> {
  const passwordHash = await hashPassword(PASSWORD);
  await insertAccount(
    database,
    { id: ACCOUNT, username: USERNAME, passwordHash, nickname: USERNAME, userType: "USER" },
    0,
  );
  const keyHash = hashSecret(DEVICE_KEY);
  for (let index = 0; index < sensors; index += 1) {
    await database.query(
      "insert into device (id, serial, kind, account_id, key_hash, created_at) values ($1, $2, 'sensor', $3, $4, now())",
      [sensorIdOf(index), serialOf(index), ACCOUNT, keyHash],
    );
    await database.query("insert into sensor (id, name, device_type) values ($1, $2, $3)", [
      sensorIdOf(index),
      `Sensor ${index}`,
      type,
    ]);
  }
}

/** @param environment variables in addition to those of every benchmark */
export async function startBenchFarm(
  sensors: number,
  type: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<BenchFarm> {
  const folder = await mkdtemp(join(tmpdir(), "mulkko-bench-"));
  const app = await build(benchConfig(folder, environment));
  await fillFarm(app.database, sensors, type);
  await app.deviceIndex.reload();
  const address = await app.listen({ host: "127.0.0.1", port: 0 });
  const login = await fetch(
    `${address}/api/account/login?username=${USERNAME}&password=${encodeURIComponent(PASSWORD)}`,
    { method: "POST" },
  );
  const pair: unknown = await login.json();
  if (typeof pair !== "object" || pair === null || !("accessToken" in pair)) throw new Error("no login");
  const authorization = `Bearer ${String(pair.accessToken)}`;
  return {
    app,
    async get(path) {
      const started = performance.now();
      const answer = await fetch(address + path, { headers: { authorization } });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
      return { text, ms: performance.now() - started };
    },
    async close() {
      await app.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
