import {
  AutomaticCommand,
  ModeCommand,
  PeriodCommand,
  ReservationCommand,
} from "@mulkko/shared/mqtt/device-messages";
import { Instant } from "@mulkko/shared/schema/instant";
import { parseJson } from "@mulkko/shared/schema/parse";
import { type Static, type TSchema, Type } from "typebox";
import { type ChannelModes, type ModesCommand, reportOfModes } from "./channel-modes.ts";
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
type Read<C> = { readonly ok: true; readonly command: C } | { readonly ok: false; readonly reason: string };

/** Reads the payload of `cmd/onoff`. */
export function readOnOff(payload: string): Read<OnOff> {
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

function readOne<S extends TSchema>(
  schema: S,
  payload: string,
  made: (command: Static<S>) => ModesCommand,
): Read<ModesCommand> {
  const parsed = parseJson(schema, payload);
  if (!parsed.ok) return { ok: false, reason: `${parsed.path} ${parsed.message}`.trim() };
  return { ok: true, command: made(parsed.value) };
}

/** Reads the payload of a command of the watering modes. */
export function readModes(kind: ModesCommand["kind"], payload: string): Read<ModesCommand> {
  switch (kind) {
    case "automatic":
      return readOne(AutomaticCommand, payload, (command) => ({ kind, command }));
    case "reservation":
      return readOne(ReservationCommand, payload, (command) => ({ kind, command }));
    case "period":
      return readOne(PeriodCommand, payload, (command) => ({ kind, command }));
    case "mode":
      return readOne(ModeCommand, payload, (command) => ({ kind, command }));
  }
}

const COMMAND_TOPIC = /^mulkko\/(\d{1,15})\/ch\/([1-8])\/cmd\/(onoff|automatic|reservation|period|mode)$/;

type CommandName = "onoff" | ModesCommand["kind"];

const NAMES: Readonly<Record<string, CommandName>> = {
  onoff: "onoff",
  automatic: "automatic",
  reservation: "reservation",
  period: "period",
  mode: "mode",
};

/** What a command's topic names, or null where it is no command for this controller. */
export function commandOf(
  serial: number,
  topic: string,
): { readonly channelNumber: number; readonly name: CommandName } | null {
  const match = COMMAND_TOPIC.exec(topic);
  const name = NAMES[match?.[3] ?? ""];
  return match !== null && name && Number(match[1]) === serial
    ? { channelNumber: Number(match[2]), name }
    : null;
}

/** What a virtual controller says of itself besides its valves. */
interface ControllerFacts {
  readonly serial: number;
  readonly fwversion: string;
  readonly rssi: number;
  /** Present on a COT sensor, whose state carries its own moisture (%). */
  readonly moisture?: number;
}

/** The payload of `mulkko/{serial}/ch/{n}/state`. @param now wall time, milliseconds */
export function stateReport(
  facts: ControllerFacts,
  channel: ChannelModel,
  modes: ChannelModes,
  now: number,
): Record<string, unknown> {
  return {
    ...facts,
    at: new Date(now).toISOString(),
    onoff: reportedValve(channel.valve),
    runUntil: channel.valve.phase === "open" ? new Date(channel.valve.runUntil).toISOString() : null,
    commandId: channel.commandId,
    ...reportOfModes(modes),
  };
}
