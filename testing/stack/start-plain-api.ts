import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort } from "../engines/free-port.ts";
import { createService } from "./service.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** Deviations of a farm API from the contract, by the names of the relay's fake API. */
export type Habits = Readonly<Record<string, boolean | number | string | null>>;

/** A relay in front of an API without extensions, with one soil sensor and one valve. */
export interface BareStack {
  readonly url: string;
  readonly username: "farmer";
  readonly password: "password1";
  readonly sensorId: "1";
  readonly controllerId: "3";
  /** Set the soil sensor's value. */
  measure(moisture: number): Promise<void>;
  /** Set the farm API's habits from now on; see `PlainApiHabits` of the relay's fake API. */
  adopt(habits: Habits): Promise<void>;
  /** Make the account an administrator, from its next sign-in on. */
  promote(): Promise<void>;
  close(): Promise<void>;
}

export async function startBare(): Promise<BareStack> {
  const [port, apiPort, controlPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const dataDir = await mkdtemp(join(tmpdir(), "mulkko-bare-"));
  const url = `http://127.0.0.1:${port}`;
  const control = `http://127.0.0.1:${controlPort}`;
  const api = createService({
    name: "bare API",
    script: join(ROOT, "relay/testing/plain-farm.ts"),
    env: { PORT: String(apiPort), CONTROL_PORT: String(controlPort) },
    healthUrl: control,
    startTimeoutMs: 60_000,
  });
  const relay = createService({
    name: "relay",
    script: join(ROOT, "relay/src/main.ts"),
    env: {
      DATA_DIR: dataDir,
      PORT: String(port),
      API_URL: `http://127.0.0.1:${apiPort}`,
      RELAY_MQTT_URL: "off",
      RELAY_SECRET: "e2e-relay-secret-0123456789abcdef01234567",
    },
    healthUrl: `${url}/health`,
    startTimeoutMs: 60_000,
  });
  const close = async (): Promise<void> => {
    await relay.stop();
    await api.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await api.start();
    await relay.start();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url,
    username: "farmer",
    password: "password1",
    sensorId: "1",
    controllerId: "3",
    async measure(moisture) {
      await fetch(`${control}/reading`, { method: "POST", body: String(moisture) });
    },
    async adopt(habits) {
      const taken = await fetch(`${control}/habits`, { method: "POST", body: JSON.stringify(habits) });
      if (!taken.ok) throw new Error(`the farm API has no such habits: ${JSON.stringify(habits)}`);
    },
    async promote() {
      await fetch(`${control}/administrator`, { method: "POST" });
    },
    close,
  };
}
