import { type Static, Type } from "typebox";
import { ControllerInfo } from "../entities/controller.ts";
import { SensorInfo } from "../entities/sensor.ts";
import { DeviceLink, Quality } from "../rules/quality.ts";
import { Id, Serial } from "../schema/id.ts";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";
import { TextRecord } from "../schema/text-record.ts";

/** States of a command, in the order in which it may pass them (CMD-1). */
export const CommandState = Type.Union([
  Type.Literal("requested"),
  Type.Literal("accepted"),
  Type.Literal("confirmed"),
  Type.Literal("refused"),
  Type.Literal("unconfirmed"),
  Type.Literal("superseded"),
  Type.Literal("failed"),
]);
export type CommandState = Static<typeof CommandState>;

/** Who gave a command. */
export const Actor = Type.Object({ id: Id, nickname: Type.String() });
export type Actor = Static<typeof Actor>;

/** In the place of a person, for what the relay does by itself: the close at the end of a run (RUN-2). */
export const RELAY_ACTOR: Actor = { id: "relay", nickname: "relay" };

const ValveCodeSchema = Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2)]);
const ValveTargetSchema = Type.Union([Type.Literal(1), Type.Literal(2)]);

/** The open command of a channel: asked for, and not yet seen done. */
export const ChannelCommand = Type.Object({
  id: Type.String(),
  command: Type.String(),
  target: Nullable(ValveTargetSchema),
  state: CommandState,
  since: Instant,
  by: Actor,
});
export type ChannelCommand = Static<typeof ChannelCommand>;

/** What a mode in charge may lack; without it, it is kept and does not run. */
export const ModeLack = Type.Union([
  Type.Literal("setting"),
  Type.Literal("duration"),
  Type.Literal("bounds"),
  Type.Literal("sensor"),
  Type.Literal("time"),
  Type.Literal("interval"),
]);
export type ModeLack = Static<typeof ModeLack>;

/** The watering modes of a channel; durations and intervals are minutes, bounds percent. */
export const Modes = Type.Object({
  active: Type.Union([
    Type.Literal("none"),
    Type.Literal("automatic"),
    Type.Literal("period"),
    Type.Literal("reservation"),
  ]),
  automatic: Nullable(
    Type.Object({
      lowerBound: Nullable(Type.Number()),
      upperBound: Nullable(Type.Number()),
      wateringDuration: Type.Number(),
    }),
  ),
  reservation: Nullable(
    Type.Object({ onTime: Nullable(Type.String()), wateringDuration: Type.Number(), repeat: Type.Boolean() }),
  ),
  period: Nullable(
    Type.Object({
      wateringInterval: Nullable(Type.Number()),
      wateringDuration: Type.Number(),
      repeat: Type.Boolean(),
    }),
  ),
  /** What the mode in charge lacks; null or left out: nothing, as far as is known. */
  incomplete: Type.Optional(Nullable(ModeLack)),
});
export type Modes = Static<typeof Modes>;

/** `farm:{id}` */
export const FarmValue = Type.Object({
  info: Type.Object({
    id: Id,
    name: Type.String(),
    description: Nullable(Type.String()),
    sensorIds: Type.Array(Id),
    /** When it was made, on the API's clocks; left out where it does not say. */
    createdDate: Type.Optional(Type.String()),
  }),
});
export type FarmValue = Static<typeof FarmValue>;

/** A reading on the wire: measurements in the catalogue's names and units, with signal and firmware. */
export const LiveReading = TextRecord(Type.Union([Type.Number(), Type.String(), Type.Null()]));
export type LiveReading = Static<typeof LiveReading>;

/** `sensor:{id}`. `at` is when it was measured, `heardAt` the device's last sign of life. */
export const SensorValue = Type.Object({
  info: SensorInfo,
  reading: Nullable(LiveReading),
  at: Nullable(Instant),
  heardAt: Nullable(Instant),
  quality: Nullable(Quality),
  via: Nullable(Type.Union([Type.Literal("mqtt"), Type.Literal("poll")])),
});
export type SensorValue = Static<typeof SensorValue>;

/** `controller:{id}`. `link` is `lost` while its last will is newer than its last message. */
export const ControllerValue = Type.Object({
  info: ControllerInfo,
  quality: Nullable(Quality),
  rssi: Nullable(Type.Number()),
  fwversion: Nullable(Type.String()),
  heardAt: Nullable(Instant),
  link: Nullable(DeviceLink),
});
export type ControllerValue = Static<typeof ControllerValue>;

/** `channel:{channelId}`, or `channel:{sensorId}:{number}` of a COT sensor. */
export const ChannelValue = Type.Object({
  controllerId: Id,
  serial: Serial,
  number: Type.Integer(),
  /** NAME-1: the channel's own name; null or left out: not set. */
  name: Type.Optional(Nullable(Type.String())),
  sensorIds: Type.Array(Id),
  onoff: ValveCodeSchema,
  modes: Nullable(Modes),
  moisture: Nullable(Type.Number()),
  /** When the device closes by itself, or where only the relay can, when the relay closes. */
  runUntil: Nullable(Instant),
  /** Who ends the run: the valve, or the relay for it (RUN-2). */
  endsBy: Nullable(Type.Union([Type.Literal("device"), Type.Literal("relay")])),
  /** Whether the valve itself keeps a limit to every opening; null or left out: it does not say. */
  limit: Type.Optional(Nullable(Type.Union([Type.Literal("valve"), Type.Literal("none")]))),
  command: Nullable(ChannelCommand),
  at: Nullable(Instant),
  heardAt: Nullable(Instant),
  quality: Nullable(Quality),
  /** Of its controller, so that a channel alone says how far it can be believed; left out: nothing is known of it. */
  link: Type.Optional(Nullable(DeviceLink)),
});
export type ChannelValue = Static<typeof ChannelValue>;
