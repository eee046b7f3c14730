import { fileURLToPath } from "node:url";
import { type EngineProcess, startEngineProcess } from "@mulkko/testing/engines/engine-process";
import { freePort } from "@mulkko/testing/engines/free-port";
import type { Place } from "../src/backup/snapshot.ts";
import { environmentOf } from "./places.ts";
import { startTestFarm } from "./test-farm.ts";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** The farm API in its own process, on fixed ports. */
export interface FarmProcess {
  readonly mqttUrl: string;
  /** @param end the signal that ends it: cleanly, or like a power failure */
  start(end: "SIGTERM" | "SIGKILL"): Promise<EngineProcess>;
  /** Start a second one on the same place, at ports of its own, and wait until it is a stand-by. */
  startStandBy(end: "SIGTERM" | "SIGKILL"): Promise<EngineProcess>;
  /** URL of the process started first, and of the stand-by. */
  readonly url: string;
  readonly standByUrl: string;
}

/**
 * Prepare a place with the test farm, for a process to be started.
 *
 * @param externalUrl an external broker, instead of the embedded one
 */
export async function createFarmProcess(place: Place, externalUrl?: string): Promise<FarmProcess> {
  const farm = await startTestFarm({ ...environmentOf(place), DATA_DIR: place.dataDir });
  await farm.close();
  const [port, mqttPort, ...standBy] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const environment = {
    ...environmentOf(place),
    DATA_DIR: place.dataDir,
    API_HOST: "127.0.0.1",
    API_PORT: String(port),
    MQTT_HOST: "127.0.0.1",
    MQTT_PORT: String(mqttPort),
    DEMO: "off",
    ...(externalUrl === undefined ? {} : { MQTT_URL: externalUrl }),
  };
  const run = (more: Readonly<Record<string, string>>, ready: RegExp, end: NodeJS.Signals) =>
    startEngineProcess({
      file: "/usr/bin/env",
      args: [
        ...Object.entries({ ...environment, ...more }).map(([name, value]) => `${name}=${value}`),
        process.execPath,
        MAIN,
      ],
      ready,
      stopSignal: end,
    });
  return {
    mqttUrl: externalUrl ?? `mqtt://127.0.0.1:${mqttPort}`,
    url: `http://127.0.0.1:${port}`,
    standByUrl: `http://127.0.0.1:${standBy[0]}`,
    start: (end) => run({}, /"event":"started"/, end),
    startStandBy: (end) =>
      run({ API_PORT: String(standBy[0]), MQTT_PORT: String(standBy[1]) }, /"event":"stand-by"/, end),
  };
}
