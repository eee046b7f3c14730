import { Account } from "@mulkko/shared/entities/account";
import { topic } from "@mulkko/shared/mqtt/topics";
import { AddedController } from "@mulkko/shared/rest/controller";
import { adminUserRegister } from "@mulkko/shared/rest/operations/admin";
import { controllerAdd } from "@mulkko/shared/rest/operations/controllers";
import { connectAsync } from "mqtt";
import { DEMO_PASSWORD, read, type SignedIn, signIn } from "./account.ts";
import type { Stack } from "./start-stack.ts";

/** A farm that was registered at the farm API alone: no call of it has passed the relay. */
export interface RegisteredFarm {
  readonly accountId: string;
  readonly controllerId: string;
  readonly channelId: string;
  readonly account: SignedIn;
  /** Report a state of its valve, as the controller does. */
  say(state: object): Promise<void>;
  /** Return the commands that the controller has received. */
  readonly received: readonly string[];
  close(): Promise<void>;
}

/**
 * Register an account with one controller of one channel, and connect as the controller.
 *
 * @param serial of the controller
 */
export async function registerFarm(stack: Stack, username: string, serial: number): Promise<RegisteredFarm> {
  const admin = await signIn(stack.apiUrl, "admin");
  const profile = { userAddress: `${username}@example.org`, farmAddress: username, phone: "010-0000-0001" };
  const body = { username, password: DEMO_PASSWORD, nickname: username, ...profile };
  const { id } = await read(await admin.post(adminUserRegister.path, body), Account);
  const account = await signIn(stack.apiUrl, username);
  const added = await read(
    await account.post(controllerAdd.path, {
      ...{ type: "CON04V", serial: String(serial), name: "Valve box", channels: [{ channelNumber: 1 }] },
    }),
    AddedController,
  );
  const client = await connectAsync(`mqtt://127.0.0.1:${stack.mqttPort}`, {
    ...{ clientId: String(serial), username: String(serial), password: added.deviceKey, reconnectPeriod: 0 },
  });
  const received: string[] = [];
  client.on("message", (_name, payload) => void received.push(payload.toString()));
  await client.subscribeAsync(`mulkko/${serial}/ch/+/cmd/onoff`, { qos: 1 });
  return {
    accountId: String(id),
    controllerId: String(added.id),
    channelId: String(added.channels?.[0]?.id),
    account,
    received,
    async say(state) {
      const payload = JSON.stringify({ at: new Date().toISOString(), ...state });
      await client.publishAsync(topic.channelState(serial, 1), payload, { qos: 1, retain: true });
    },
    close: () => client.endAsync(true),
  };
}
