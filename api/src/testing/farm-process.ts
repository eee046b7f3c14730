import { fileURLToPath } from "node:url";
import { type EngineProcess, startEngineProcess } from "@mulkko/e2e/engines/engine-process";
import { freePort } from "@mulkko/e2e/engines/free-port";
import type { Place } from "../backup/snapshot.ts";
import { environmentOf } from "./places.ts";
import { startTestFarm } from "./test-farm.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

/** The farm API as a process of its own, on ports that stay. */
export interface FarmProcess {
  readonly mqttUrl: string;
  /** @param end the signal that ends it: in good order, or as if the power had failed */
  start(end: "SIGTERM" | "SIGKILL"): Promise<EngineProcess>;
}

/**
 * Fills a place with the farm of the tests, for a process that is not started yet.
 *
 * @param outerUrl a broker elsewhere, in the place of the process's own
 */
export async function createFarmProcess(place: Place, outerUrl?: string): Promise<FarmProcess> {
  const farm = await startTestFarm({ ...environmentOf(place), DATA_DIR: place.dataDir });
  await farm.close();
  const [port, mqttPort] = await Promise.all([freePort(), freePort()]);
  const environment = {
    ...environmentOf(place),
    DATA_DIR: place.dataDir,
    API_HOST: "127.0.0.1",
    API_PORT: String(port),
    MQTT_HOST: "127.0.0.1",
    MQTT_PORT: String(mqttPort),
    DEMO: "off",
    ...(outerUrl === undefined ? {} : { MQTT_URL: outerUrl }),
  };
  const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return {
    mqttUrl: outerUrl ?? `mqtt://127.0.0.1:${mqttPort}`,
    start: (end) =>
      startEngineProcess({
        file: "/usr/bin/env",
        args: [...settings, process.execPath, MAIN],
        ready: /Farm API on port/,
        stopSignal: end,
      }),
  };
}
