import { type Static, Type } from "typebox";
import { ControllerInfo } from "../entities/controller.ts";
import { FieldTimes } from "../entities/log-entry.ts";
import { Modes } from "../entities/modes.ts";
import { SensorInfo } from "../entities/sensor.ts";
import { DeviceLink, Quality } from "../rules/quality.ts";
import { ForeignSerial, Id } from "../schema/id.ts";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";
import { TextRecord } from "../schema/text-record.ts";

/** States of a command, in order (CMD-1). */
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

/** The user who gave a command. */
export const Actor = Type.Object({ id: Id, nickname: Type.String() });
export type Actor = Static<typeof Actor>;

/** Replaces the user for the relay's own actions: the close at the end of a run (RUN-2). */
export const RELAY_ACTOR: Actor = { id: "relay", nickname: "relay" };

const ValveCodeSchema = Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2)]);
const ValveTargetSchema = Type.Union([Type.Literal(1), Type.Literal(2)]);

/** The open command of a channel: requested, and not yet confirmed. */
export const ChannelCommand = Type.Object({
  id: Type.String(),
  command: Type.String(),
  target: Nullable(ValveTargetSchema),
  state: CommandState,
  since: Instant,
  by: Actor,
});
export type ChannelCommand = Static<typeof ChannelCommand>;
/** `farm:{id}` */
export const FarmValue = Type.Object({
  info: Type.Object({
    id: Id,
    name: Type.String(),
    description: Nullable(Type.String()),
    sensorIds: Type.Array(Id),
    /** Time of creation, on the API's clock; absent where the API does not send it. */
    createdDate: Type.Optional(Type.String()),
    /** Version that changes apply to (extension `versions`); absent where the API sends none. */
    version: Type.Optional(Type.String()),
  }),
});
export type FarmValue = Static<typeof FarmValue>;

/** A reading on the wire: measurements in the catalogue's names and units, with signal and firmware. */
export const LiveReading = TextRecord(Type.Union([Type.Number(), Type.String(), Type.Null()]));
export type LiveReading = Static<typeof LiveReading>;

/**
 * Since when the device's clock has been wrong, so that its values count as of their arrival (ORD-2); null or
 * absent: it is not known to be.
 */
const ClockWrongSince = Type.Optional(Nullable(Instant));

/** `sensor:{id}`. `at` is the time of measurement, `heardAt` the device's last heartbeat. */
export const SensorValue = Type.Object({
  info: SensorInfo,
  reading: Nullable(LiveReading),
  /** Fields of the reading that were measured before `at`, and when; null or absent: none. */
  fieldTimes: Type.Optional(Nullable(FieldTimes)),
  at: Nullable(Instant),
  heardAt: Nullable(Instant),
  quality: Nullable(Quality),
  via: Nullable(Type.Union([Type.Literal("mqtt"), Type.Literal("poll")])),
  /**
   * True: the reading named a time ahead of the server's clock, and `at` is the time of its arrival (ONL-6).
   */
  timeAhead: Type.Optional(Type.Boolean()),
  clockWrongSince: ClockWrongSince,
  /** Connection of a COT sensor, as of a controller; null or absent: unknown. */
  link: Type.Optional(Nullable(DeviceLink)),
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
  clockWrongSince: ClockWrongSince,
});
export type ControllerValue = Static<typeof ControllerValue>;

/** `channel:{channelId}`, or `channel:{sensorId}:{number}` of a COT sensor. */
export const ChannelValue = Type.Object({
  controllerId: Id,
  serial: ForeignSerial,
  number: Type.Integer(),
  /** NAME-1: the channel's own name; null or absent: not set. */
  name: Type.Optional(Nullable(Type.String())),
  sensorIds: Type.Array(Id),
  onoff: ValveCodeSchema,
  modes: Nullable(Modes),
  moisture: Nullable(Type.Number()),
  /** Time at which the device closes by itself, or, where only the relay can, the relay closes it. */
  runUntil: Nullable(Instant),
  /** Device or relay, whichever ends the run (RUN-2). */
  endsBy: Nullable(Type.Union([Type.Literal("device"), Type.Literal("relay")])),
  /** `valve` where the valve itself sets an end to every opening; null or absent: unknown. */
  limit: Type.Optional(Nullable(Type.Union([Type.Literal("valve"), Type.Literal("none")]))),
  command: Nullable(ChannelCommand),
  at: Nullable(Instant),
  heardAt: Nullable(Instant),
  quality: Nullable(Quality),
  /**
   * Link of the channel's controller, so that a channel alone shows how far it can be trusted; absent:
   * unknown.
   */
  link: Type.Optional(Nullable(DeviceLink)),
  clockWrongSince: ClockWrongSince,
});
export type ChannelValue = Static<typeof ChannelValue>;
