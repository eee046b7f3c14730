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
 * `mulkko/{serial}/ch/{n}/cmd/onoff` as a controller reads it. An open requires everything that prevents late
 * or repeated execution; a close requires only itself.
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

/** A parsed command, or the reason for which it is invalid. */
type Read<C> = { readonly ok: true; readonly command: C } | { readonly ok: false; readonly reason: string };

/** Parse the payload of `cmd/onoff`. */
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

/** Parse the payload of a watering mode command. */
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

const COMMAND_TOPIC =
  /^mulkko\/(\d{1,15})\/ch\/([1-8])\/cmd\/(onoff|automatic|reservation|period|mode|report)$/;

type CommandName = "onoff" | "report" | ModesCommand["kind"];

const NAMES: Readonly<Record<string, CommandName>> = {
  onoff: "onoff",
  automatic: "automatic",
  reservation: "reservation",
  period: "period",
  mode: "mode",
  report: "report",
};

/** Return the command of a topic, or null where it is not a command for this controller. */
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

/** Facts that a virtual controller reports beside its valves. */
interface ControllerFacts {
  readonly serial: number;
  readonly fwversion: string;
  readonly rssi: number;
  /** Present on a COT sensor, whose state includes its own moisture (%). */
  readonly moisture?: number;
}

/** Build the payload of `mulkko/{serial}/ch/{n}/state`. @param now wall time, ms */
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
