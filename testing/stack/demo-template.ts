import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort } from "../engines/free-port.ts";
import { createService } from "./service.ts";

/** Folder of the demo farm that was filled once for a whole run of tests; unset: each stack fills its own. */
const VARIABLE = "E2E_DEMO_TEMPLATE";
const API = resolve(import.meta.dirname, "../../api/src/main.ts");

/** Copy the demo farm with its week of readings into a new stack, if the run of tests has prepared it. */
export async function copyDemoTemplate(dataDir: string): Promise<void> {
  const template = process.env[VARIABLE];
  if (template !== undefined) await cp(template, dataDir, { recursive: true });
}

/**
 * Fill a folder with the demo farm, once for all journeys of a run: the week of readings takes longer than
 * the rest of a stack's start. Vitest calls this before its workers begin, and the returned function after
 * they have ended.
 *
 * @public named in `vitest.config.ts`
 */
export default async function makeDemoTemplate(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "mulkko-e2e-demo-"));
  const [port, mqttPort] = await Promise.all([freePort(), freePort()]);
  const api = createService({
    name: "api",
    script: API,
    env: {
      DATA_DIR: folder,
      API_PORT: String(port),
      MQTT_PORT: String(mqttPort),
      DEMO: "on",
      // No device publishes before the stacks start.
      DEMO_INTERVAL_MS: "3600000",
    },
    healthUrl: `http://127.0.0.1:${port}/health`,
    startTimeoutMs: 120_000,
  });
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await api.start();
    await api.stop();
  } catch (error) {
    await remove();
    throw error;
  }
  process.env[VARIABLE] = folder;
  return remove;
}
