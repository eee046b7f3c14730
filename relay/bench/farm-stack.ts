import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "@mulkko/e2e/engines/free-port";
import { TokenPair } from "@mulkko/shared/rest/account";
import { apiPath, relayPath } from "@mulkko/shared/rest/routes";
import { parse, parseJson } from "@mulkko/shared/schema/parse";
import { type Static, type TSchema, Type } from "typebox";
import { type FarmProcess, startFarmProcess } from "./farm-process.ts";

/** The real farm API with the demo farm, and the real relay in front of it, on ports of their own. */
export interface FarmStack {
  readonly url: string;
  readonly mqttUrl: string;
  /** Password of the broker's user `relay`. */
  readonly relayKey: string;
  /** The key with which a device of the demo farm signs in at the broker. */
  deviceKey(serial: number): Promise<string>;
  /** An access token of one of the demo's accounts. */
  signIn(username: string): Promise<string>;
  stop(): Promise<void>;
}

const RELAY_KEY = "bench-relay-key-0123456789abcdef";
const DEMO_PASSWORD = "mulkko2026!";
const DeviceKeys = Type.Record(Type.String(), Type.String());

function checked<S extends TSchema>(what: string, schema: S, value: unknown): Static<S> {
  const parsed = parse(schema, value);
  if (!parsed.ok) throw new Error(`${what}: ${parsed.path} ${parsed.message}`);
  return parsed.value;
}

/**
 * @param dataDir a folder of the benchmark's own; one that has been used before starts faster
 * @param demoIntervalMs from one reading of a demo device to its next
 */
export async function startFarmStack(dataDir: string, demoIntervalMs: number): Promise<FarmStack> {
  const [port, apiPort, mqttPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const mqttUrl = `mqtt://127.0.0.1:${mqttPort}`;
  const url = `http://127.0.0.1:${port}`;
  const env = {
    DATA_DIR: dataDir,
    HOST: "127.0.0.1",
    PORT: String(port),
    API_HOST: "127.0.0.1",
    API_PORT: String(apiPort),
    MQTT_HOST: "127.0.0.1",
    MQTT_PORT: String(mqttPort),
    API_URL: `http://127.0.0.1:${apiPort}`,
    RELAY_MQTT_URL: mqttUrl,
    RELAY_KEY,
    DEMO: "on",
    DEMO_INTERVAL_MS: String(demoIntervalMs),
    LOG_LEVEL: "warn",
  };
  const api = await startFarmProcess("api/src/main.ts", env, `http://127.0.0.1:${apiPort}/health`);
  let relay: FarmProcess;
  try {
    relay = await startFarmProcess("relay/src/main.ts", env, url + relayPath.ready);
  } catch (error) {
    await api.stop();
    throw error;
  }
  return {
    url,
    mqttUrl,
    relayKey: RELAY_KEY,
    async deviceKey(serial) {
      const text = await readFile(join(dataDir, "demo-keys.json"), "utf8");
      const keys = parseJson(DeviceKeys, text);
      const key = keys.ok ? keys.value[String(serial)] : undefined;
      if (key === undefined) throw new Error(`the demo farm has no device ${serial}`);
      return key;
    },
    async signIn(username) {
      const response = await fetch(url + apiPath.login, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ username, password: DEMO_PASSWORD }),
      });
      if (!response.ok) throw new Error(`login of ${username}: ${response.status} ${await response.text()}`);
      return checked("login", TokenPair, await response.json()).accessToken;
    },
    async stop() {
      await relay.stop();
      await api.stop();
    },
  };
}
