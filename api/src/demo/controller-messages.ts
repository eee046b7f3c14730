import { Instant } from "@mulkko/shared/schema/instant";
import { parseJson } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { type ChannelModel, type OnOff, reportedValve } from "./virtual-controller.ts";

const CommandId = Type.String({ minLength: 1, maxLength: 128 });

/**
 * `mulkko/{serial}/ch/{n}/cmd/onoff` as a controller reads it. An open needs everything that keeps it from
 * running late or twice; a close needs nothing but itself.
 */
const OnOffCommand = Type.Union([
  Type.Object({
    state: Type.Literal(1),
    commandId: CommandId,
    expiresAt: Instant,
    maxRunSeconds: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  Type.Object({ state: Type.Literal(2), commandId: Type.Optional(CommandId) }),
]);

/** A command read off the wire, or why it cannot be obeyed. */
type ReadCommand =
  | { readonly ok: true; readonly command: OnOff }
  | { readonly ok: false; readonly reason: string };

/** Reads the payload of `cmd/onoff`. */
export function readOnOff(payload: string): ReadCommand {
  const parsed = parseJson(OnOffCommand, payload);
  if (!parsed.ok) return { ok: false, reason: `${parsed.path} ${parsed.message}`.trim() };
  const command = parsed.value;
  if (command.state === 2) return { ok: true, command: { state: 2, commandId: command.commandId ?? null } };
  const { state, commandId, expiresAt, maxRunSeconds } = command;
  return {
    ok: true,
    command: { state, commandId, expiresAt: Date.parse(expiresAt), maxRunSeconds: maxRunSeconds ?? null },
  };
}

const COMMAND_TOPIC = /^mulkko\/(\d{1,15})\/ch\/([1-8])\/cmd\/onoff$/;

/** The channel number that a command's topic names, or null where it is no command for this controller. */
export function commandChannel(serial: number, topic: string): number | null {
  const match = COMMAND_TOPIC.exec(topic);
  return match !== null && Number(match[1]) === serial ? Number(match[2]) : null;
}

/** What a virtual controller says of itself besides its valves. */
interface ControllerFacts {
  readonly serial: number;
  readonly fwversion: string;
  readonly rssi: number;
  /** Present on a COT sensor, whose state carries its own moisture (%). */
  readonly moisture?: number;
}

/**
 * The payload of `mulkko/{serial}/ch/{n}/state`. The virtual controllers keep no watering modes of their own:
 * flags are off and settings empty.
 *
 * @param now wall time, milliseconds
 */
export function stateReport(
  facts: ControllerFacts,
  channel: ChannelModel,
  now: number,
): Record<string, unknown> {
  return {
    ...facts,
    at: new Date(now).toISOString(),
    onoff: reportedValve(channel.valve),
    runUntil: channel.valve.phase === "open" ? new Date(channel.valve.runUntil).toISOString() : null,
    commandId: channel.commandId,
    automatic: 0,
    automaticHighMoisture: null,
    automaticLowMoisture: null,
    automaticWatering: null,
    period: 0,
    periodRepeat: 2,
    periodTime: null,
    periodWatering: null,
    reservation: 0,
    reservationRepeat: 2,
    reservationTime: null,
    reservationWatering: null,
  };
}
