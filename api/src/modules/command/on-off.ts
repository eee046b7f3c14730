import { randomUUID } from "node:crypto";
import { DEFAULT_RUN_SECONDS, VALVE_OFF } from "@mulkko/shared/rules/valve";
import type { Broker } from "../../broker/broker.ts";
import { nativeDriver } from "../../valve-drivers/native.ts";
import { expiryOf, type ValveCommand } from "./rules.ts";

/**
 * Hands a valve command to the broker.
 *
 * @param now ms since 1970 UTC
 * @throws BrokerDownError; ApiError 409 for an opening that has lost its point
 */
export async function publishOnOff(
  broker: Broker,
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

/** Closes a channel that nobody asked to close. @throws BrokerDownError */
export function publishClose(broker: Broker, serial: number, number: number, now: number): Promise<void> {
  const command: ValveCommand = { number, target: VALVE_OFF, maxRunSeconds: null, expiresAt: null };
  return publishOnOff(broker, serial, command, randomUUID(), now);
}
