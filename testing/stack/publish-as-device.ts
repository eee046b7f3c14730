import { topic } from "@mulkko/shared/mqtt/topics";
import { mosquittoPub } from "../engines/mosquitto-pub.ts";
import { deviceKey } from "./device-keys.ts";
import type { Stack } from "./start-stack.ts";

/** Publish one message as a device does, with Mosquitto's own client; return when the API has stored it. */
export async function publishAsDevice(
  stack: Pick<Stack, "mqttPort" | "dataDir">,
  serial: number,
  message: string | Uint8Array,
): Promise<void> {
  await mosquittoPub({
    host: "127.0.0.1",
    port: stack.mqttPort,
    user: String(serial),
    password: await deviceKey(stack.dataDir, serial),
    topic: topic.up(serial),
    message,
  });
}
