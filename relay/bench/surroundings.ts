import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { machineMs } from "@mulkko/testing/bench/figures";
import { freePort } from "@mulkko/testing/engines/free-port";
import { type RunningMosquitto, startMosquitto } from "@mulkko/testing/engines/mosquitto";
import mqtt from "mqtt";
import { type FakeFarmApi, startFakeFarmApi } from "../testing/fake-farm-api.ts";
import { type Child, startChild } from "./child.ts";
import { benchAccounts, nextReading, type OutPublication } from "./farm.ts";

/** A published reading, and its time: ms on the machine's monotonic clock. */
export interface Sent extends OutPublication {
  readonly sentAt: number;
}

/** Environment of a benchmark's servers: a farm API that counts its calls, and a broker for readings. */
export interface Surroundings {
  readonly broker: RunningMosquitto;
  /** Port of the broker's own WebSocket listener. */
  readonly webSocketPort: number;
  readonly api: FakeFarmApi;
  publish(account: number, sensor: number): Sent;
  /**
   * Start a server.
   * @param env added to what every server needs
   */
  start(file: string, name: string, env?: Readonly<Record<string, string>>): Promise<Child>;
  /** Close the environment after its servers were stopped. */
  close(): Promise<void>;
}

/**
 * Start the environment.
 * @param silentMs age of all sensors' last readings
 */
export async function startSurroundings(
  accounts: number,
  sensors: number,
  silentMs?: number,
): Promise<Surroundings> {
  const webSocketPort = await freePort();
  const config = [`listener ${webSocketPort} 127.0.0.1`, "protocol websockets", "set_tcp_nodelay true"];
  const broker = await startMosquitto({ config });
  const api = await startFakeFarmApi(benchAccounts(accounts, sensors, silentMs));
  api.extensions = ["mqtt-out"];
  const publisher = await mqtt.connectAsync(broker.url);
  const folder = await mkdtemp(join(tmpdir(), "mulkko-bench-"));
  return {
    broker,
    webSocketPort,
    api,
    publish(account, sensor) {
      const reading = nextReading(account, sensor);
      const sentAt = machineMs();
      publisher.publish(reading.topic, reading.payload, { qos: 0 });
      return { ...reading, sentAt };
    },
    async start(file, name, env = {}) {
      return startChild(file, [name], {
        exposeGc: true,
        env: {
          API_URL: api.origin,
          HOST: "127.0.0.1",
          PORT: "0",
          RELAY_MQTT_URL: broker.url,
          // Each server locks its folder.
          DATA_DIR: await mkdtemp(join(folder, "server-")),
          LOG_LEVEL: "error",
          ...env,
        },
      });
    },
    async close() {
      await publisher.endAsync(true);
      await api.close();
      await broker.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
