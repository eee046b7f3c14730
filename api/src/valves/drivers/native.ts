import type { OnOffCommand } from "@mulkko/shared/mqtt/device-messages";
import { topic } from "@mulkko/shared/mqtt/topics";
import { VALVE_OFF, VALVE_ON } from "@mulkko/shared/rules/valve";
import type { OutMessage } from "../../devices/broker.ts";
import type { Valve, ValveDriver } from "./driver.ts";

const command = ({ serial, number }: Valve, body: OnOffCommand): OutMessage => ({
  topic: topic.channelCommand(serial, number, "onoff"),
  payload: JSON.stringify(body),
  qos: 1,
});

/** A controller that uses the project's own topics: it waters by itself, and ingest handles its messages. */
export const nativeDriver: ValveDriver = {
  name: "native",
  maxSeconds: 24 * 3_600,
  open: (valve, { seconds, commandId, expiresAt }) =>
    command(valve, {
      state: VALVE_ON,
      commandId,
      expiresAt: new Date(expiresAt).toISOString(),
      maxRunSeconds: seconds,
    }),
  close: (valve, commandId, expiresAt) =>
    command(valve, { state: VALVE_OFF, commandId, expiresAt: new Date(expiresAt).toISOString() }),
  keep: () => [],
  afterRun: () => [],
  ask: () => [],
  speaksUnder: () => [],
  hearsUnder: () => [],
  parse: () => [],
};
