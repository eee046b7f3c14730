import { type ChannelStateMessage, OnOffCommand } from "@mulkko/shared/mqtt/device-messages";
import { topic } from "@mulkko/shared/mqtt/topics";
import { parseJson } from "@mulkko/shared/schema/parse";
import { connectAsync } from "mqtt";
import { deviceKey } from "./device-keys.ts";
import type { Stack } from "./start-stack.ts";

/** A controller that stays connected and receives its commands, but does only what a scenario says. */
export interface ControllerDevice {
  /** Received commands, in order. */
  readonly received: readonly OnOffCommand[];
  say(number: number, state: ChannelStateMessage): Promise<void>;
  /** Break the connection without a disconnect: the broker sends the last will. */
  die(): void;
  close(): Promise<void>;
}

/** Connect as a controller of the demo farm, whose own virtual device must not run. */
export async function connectController(
  stack: Pick<Stack, "mqttPort" | "dataDir">,
  serial: number,
): Promise<ControllerDevice> {
  const client = await connectAsync(`mqtt://127.0.0.1:${stack.mqttPort}`, {
    clientId: String(serial),
    username: String(serial),
    password: await deviceKey(stack.dataDir, serial),
    reconnectPeriod: 0,
    will: { topic: topic.status(serial), payload: Buffer.from("offline"), qos: 1, retain: true },
  });
  await client.publishAsync(topic.status(serial), "online", { qos: 1, retain: true });
  const received: OnOffCommand[] = [];
  client.on("message", (name, payload) => {
    const command = parseJson(OnOffCommand, payload.toString());
    if (!command.ok) throw new Error(`${name} breaks the contract: ${command.path} ${command.message}`);
    received.push(command.value);
  });
  await client.subscribeAsync(`mulkko/${serial}/ch/+/cmd/onoff`, { qos: 1 });
  return {
    received,
    async say(number, state) {
      await client.publishAsync(topic.channelState(serial, number), JSON.stringify(state), {
        qos: 1,
        retain: true,
      });
    },
    die: () => client.stream.destroy(),
    close: () => client.endAsync(true),
  };
}
