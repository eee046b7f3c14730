import { fileURLToPath } from "node:url";
import { freePort } from "@mulkko/e2e/engines/free-port";
import { createService, type Service } from "@mulkko/e2e/stack/service";
import type { Place } from "../backup/snapshot.ts";
import { environmentOf } from "../testing/places.ts";
import { startTestFarm } from "../testing/test-farm.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const START_TIMEOUT_MS = 50_000;

/** The farm API as a process of its own, which can be killed. */
export interface FarmProcess extends Service {
  readonly url: string;
  readonly mqttUrl: string;
}

/** Fills a place with the farm of the tests, for a process that is not started yet. */
export async function createFarmProcess(place: Place): Promise<FarmProcess> {
  const farm = await startTestFarm({ ...environmentOf(place), DATA_DIR: place.dataDir });
  await farm.close();
  const [port, mqttPort] = await Promise.all([freePort(), freePort()]);
  const url = `http://127.0.0.1:${port}`;
  const service = createService({
    name: "api",
    script: MAIN,
    env: {
      ...environmentOf(place),
      DATA_DIR: place.dataDir,
      API_HOST: "127.0.0.1",
      API_PORT: String(port),
      MQTT_HOST: "127.0.0.1",
      MQTT_PORT: String(mqttPort),
      DEMO: "off",
    },
    healthUrl: `${url}/health`,
    startTimeoutMs: START_TIMEOUT_MS,
  });
  return { ...service, url, mqttUrl: `mqtt://127.0.0.1:${mqttPort}` };
}
