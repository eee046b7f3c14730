import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort } from "../engines/free-port.ts";
import { copyDemoTemplate } from "./demo-template.ts";
import { createService, type Service } from "./service.ts";

const RELAY_KEY = "e2e-relay-key-0123456789abcdef0123456789";
const ROOT = resolve(import.meta.dirname, "../..");

/** The whole product on ports of its own, with a fresh data folder. */
export interface Stack {
  readonly url: string;
  /** Address of the farm API without the relay. */
  readonly apiUrl: string;
  readonly mqttPort: number;
  /** Password of the broker's user `relay`. */
  readonly relayKey: string;
  readonly dataDir: string;
  readonly api: Service;
  readonly relay: Service;
  close(): Promise<void>;
}

/**
 * @param env environment on top of the defaults, for both processes, e.g. `RELAY_MQTT_URL: "off"`
 * @param folder of the data; a used one starts faster, and stays. By default a folder for this stack alone
 */
export async function startStack(env: Record<string, string> = {}, folder?: string): Promise<Stack> {
  if (!existsSync(join(ROOT, "web/dist/index.html"))) {
    throw new Error("web/dist is missing: build the client first (pnpm build)");
  }
  const [port, apiPort, mqttPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const dataDir = folder ?? (await mkdtemp(join(tmpdir(), "mulkko-e2e-")));
  const common = {
    DATA_DIR: dataDir,
    PORT: String(port),
    API_PORT: String(apiPort),
    MQTT_PORT: String(mqttPort),
    API_URL: `http://127.0.0.1:${apiPort}`,
    RELAY_MQTT_URL: `mqtt://127.0.0.1:${mqttPort}`,
    RELAY_KEY,
    RELAY_SECRET: "e2e-relay-secret-0123456789abcdef01234567",
    DEMO: "on",
    LOG_LEVEL: "info",
    ...env,
  };
  if (folder === undefined && common.DEMO === "on") await copyDemoTemplate(dataDir);
  const api = createService({
    name: "api",
    script: join(ROOT, "api/src/main.ts"),
    env: common,
    healthUrl: `http://127.0.0.1:${apiPort}/health`,
    startTimeoutMs: 120_000,
  });
  const relay = createService({
    name: "relay",
    script: join(ROOT, "relay/src/main.ts"),
    env: common,
    healthUrl: `http://127.0.0.1:${port}/health`,
    startTimeoutMs: 60_000,
  });
  const close = async (): Promise<void> => {
    await relay.stop();
    await api.stop();
    if (folder === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await api.start();
    await relay.start();
  } catch (error) {
    await close();
    throw error;
  }
  const relayKey = common.RELAY_KEY;
  const url = `http://127.0.0.1:${port}`;
  return { url, apiUrl: common.API_URL, mqttPort, relayKey, dataDir, api, relay, close };
}
