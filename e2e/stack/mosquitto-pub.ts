import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { topic } from "@mulkko/shared/mqtt/topics";
import { deviceKey } from "./device-keys.ts";
import type { Stack } from "./start-stack.ts";

const run = promisify(execFile);

/** Publishes one message as a device would, with Mosquitto's own client; QoS 1, so it returns when stored. */
export async function publishAsDevice(stack: Stack, serial: number, payload: string): Promise<void> {
  const key = await deviceKey(stack.dataDir, serial);
  await run("mosquitto_pub", [
    ...["-h", "127.0.0.1", "-p", String(stack.mqttPort)],
    ...["-u", String(serial), "-P", key, "-i", `pub-${serial}-${Date.now()}`],
    ...["-q", "1", "-t", topic.up(serial), "-m", payload],
  ]);
}
