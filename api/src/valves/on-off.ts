import { randomUUID } from "node:crypto";
import { DEFAULT_RUN_SECONDS, VALVE_OFF } from "@mulkko/shared/rules/valve";
import type { Broker } from "../devices/broker.ts";
import { expiryOf, type ValveCommand } from "./command-rules.ts";
import { nativeDriver } from "./drivers/native.ts";

/** Difference of two clocks up to which they are alike, ms: a report takes its time. */
const ALIKE_MS = 5_000;

/** Return when an opening expires by its device's clock, which may differ from this machine's, ms since 1970 UTC. */
function onDeviceClock(expiresAt: number, now: number, deviceNow: number | null): number {
  const ahead = deviceNow === null ? 0 : deviceNow - now;
  return Math.abs(ahead) <= ALIKE_MS ? expiresAt : Math.round(expiresAt + ahead);
}

/**
 * Publish a valve command.
 *
 * @param now ms since 1970 UTC
 * @param deviceNow the same moment by the device's clock, ms since 1970 UTC; null: its reports state no time
 * @throws BrokerDownError; ApiError 409 for an expired open
 */
export async function publishOnOff(
  broker: Pick<Broker, "publish">,
  serial: number,
  command: ValveCommand,
  commandId: string,
  now: number,
  deviceNow: number | null,
): Promise<void> {
  const valve = { serial, address: "", number: command.number };
  const expiresAt = onDeviceClock(expiryOf(command, now), now, deviceNow);
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
  return publishOnOff(broker, serial, command, randomUUID(), now, null);
}
