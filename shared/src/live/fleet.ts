import { type Static, Type } from "typebox";
import { DeviceLink, Quality } from "../rules/quality.ts";
import { ForeignSerial, Id } from "../schema/id.ts";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";
import { AlarmPriority } from "./alarm.ts";
import { Actor } from "./devices.ts";

/** Time at which a device last went offline or came back; `last` is its contact before that. */
export const FleetFlip = Type.Object({ at: Instant, online: Type.Boolean(), last: Nullable(Instant) });
export type FleetFlip = Static<typeof FleetFlip>;

/** `device:{id}` of the `fleet` stream: a sensor or controller of any account. */
export const FleetDeviceValue = Type.Object({
  id: Id,
  kind: Type.Union([Type.Literal("sensor"), Type.Literal("controller")]),
  /** The device's account; null where the farm API does not send it. */
  account: Nullable(Id),
  username: Nullable(Type.String()),
  name: Nullable(Type.String()),
  deviceType: Nullable(Type.String()),
  serial: ForeignSerial,
  /** Degrees; null where the device is not placed, or its place is unknown. */
  latitude: Nullable(Type.Number()),
  longitude: Nullable(Type.Number()),
  /** Null: no contact yet. */
  quality: Nullable(Quality),
  /** A controller's connection as its broker reports it; null where unknown, absent in an earlier version. */
  link: Type.Optional(Nullable(DeviceLink)),
  /**
   * Start of the present state by the last flip; null where the device is late or in doubt, or no flip is
   * known.
   */
  since: Nullable(Instant),
  /** The last known change to offline or back. */
  flip: Nullable(FleetFlip),
  /** % */
  battery: Nullable(Type.Number()),
  /** dBm */
  rssi: Nullable(Type.Number()),
  fwversion: Nullable(Type.String()),
  /** The device's last contact. */
  heardAt: Nullable(Instant),
  /**
   * Time of its newest measurement, where that is older than its contact; else null. Absent in an earlier
   * version.
   */
  at: Type.Optional(Nullable(Instant)),
});
export type FleetDeviceValue = Static<typeof FleetDeviceValue>;

/** `account:{id}` of the `fleet` stream: summary of an account's devices. */
export const FleetAccountValue = Type.Object({
  id: Id,
  username: Nullable(Type.String()),
  /** Name and telephone of its user; null where unknown or empty, absent in an earlier version. */
  nickname: Type.Optional(Nullable(Type.String())),
  phone: Type.Optional(Nullable(Type.String())),
  /** The worst quality of its devices; null without any contact. */
  quality: Nullable(Quality),
  devices: Type.Integer(),
  late: Type.Integer(),
  offline: Type.Integer(),
  unknown: Type.Integer(),
  /** Controllers with a lost connection, whatever their quality; absent in an earlier version. */
  lost: Type.Optional(Type.Integer()),
  /** Devices without any contact; absent in an earlier version. */
  never: Type.Optional(Type.Integer()),
  /** Active alarms, and the most urgent of them; null where the account is not watched. */
  alarms: Nullable(Type.Integer()),
  worstAlarm: Nullable(AlarmPriority),
  /** True while the relay watches the account with its own session, so that its alarms are known. */
  watched: Type.Boolean(),
});
export type FleetAccountValue = Static<typeof FleetAccountValue>;

/**
 * `fleet:list` of the `fleet` stream: how much of the list of devices was read and requested, and from when
 * on flips are known.
 */
export const FleetListValue = Type.Object({
  /** Number of devices that were read. */
  loaded: Type.Integer(),
  /** Number of devices in total; null until the farm API reports it. */
  total: Nullable(Type.Integer()),
  /** Time from which each device's last flip is known; null: always, because the farm API records flips. */
  knownSince: Nullable(Instant),
  /**
   * While silence cannot be judged (POLL-7): since when it is not, and from when on it will be; `until` is
   * null as long as the cause lasts. Absent while every silence is judged.
   */
  withheld: Type.Optional(Type.Object({ since: Instant, until: Nullable(Instant) })),
  /** Devices without a time in the list, requested one by one: how many of them have answered. */
  asked: Type.Optional(Type.Object({ answered: Type.Integer(), of: Type.Integer() })),
});
export type FleetListValue = Static<typeof FleetListValue>;

/** `command:{id}` of the `fleet` stream: a command of the last 24 h that failed or stayed unconfirmed. */
export const FleetCommandValue = Type.Object({
  id: Type.String(),
  account: Id,
  username: Nullable(Type.String()),
  command: Type.String(),
  controllerId: Id,
  channelId: Nullable(Id),
  number: Type.Integer(),
  target: Nullable(Type.Union([Type.Literal(1), Type.Literal(2)])),
  /** Final state (CMD-1). */
  state: Type.Union([Type.Literal("unconfirmed"), Type.Literal("failed")]),
  by: Actor,
  reason: Nullable(Type.String()),
  /** Time at which the command was given up. */
  at: Instant,
});
export type FleetCommandValue = Static<typeof FleetCommandValue>;
