import { randomUUID } from "node:crypto";
import { DEFAULT_RUN_SECONDS, VALVE_OFF } from "@mulkko/shared/rules/valve";
import type { Broker } from "../devices/broker.ts";
import { expiryOf, type ValveCommand } from "./command-rules.ts";
import { nativeDriver } from "./drivers/native.ts";

/**
 * Publish a valve command.
 *
 * @param now ms since 1970 UTC
 * @throws BrokerDownError; ApiError 409 for an expired open
 */
export async function publishOnOff(
  broker: Pick<Broker, "publish">,
  serial: number,
  command: ValveCommand,
  commandId: string,
  now: number,
): Promise<void> {
  const valve = { serial, address: "", number: command.number };
  const expiresAt = expiryOf(command, now);
  const message =
    command.target === VALVE_OFF
      ? nativeDriver.close(valve, commandId, expiresAt)
      : nativeDriver.open(valve, {
          seconds: command.maxRunSeconds ?? DEFAULT_RUN_SECONDS,
          commandId,
          expiresAt,
        });
  await broker.publish(message);
}

/** Close a channel without a user's request. @throws BrokerDownError */
export function publishClose(
  broker: Pick<Broker, "publish">,
  serial: number,
  number: number,
  now: number,
): Promise<void> {
  const command: ValveCommand = { number, target: VALVE_OFF, maxRunSeconds: null, expiresAt: null };
  return publishOnOff(broker, serial, command, randomUUID(), now);
}
