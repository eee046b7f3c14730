import { type Static, Type } from "typebox";
import { Quality } from "../rules/quality.ts";
import { Id, Serial } from "../schema/id.ts";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";
import { AlarmPriority } from "./alarm.ts";
import { Actor } from "./devices.ts";

/** When a device went offline or came back last; `last` is when it had been heard before. */
export const FleetFlip = Type.Object({ at: Instant, online: Type.Boolean(), last: Nullable(Instant) });
export type FleetFlip = Static<typeof FleetFlip>;

/** `device:{id}` of the `fleet` stream: a sensor or controller of any account. */
export const FleetDeviceValue = Type.Object({
  id: Id,
  kind: Type.Union([Type.Literal("sensor"), Type.Literal("controller")]),
  /** Whose it is; null where the farm API does not say. */
  account: Nullable(Id),
  username: Nullable(Type.String()),
  name: Nullable(Type.String()),
  deviceType: Nullable(Type.String()),
  serial: Nullable(Serial),
  /** Degrees; null where it is not placed, or nobody says. */
  latitude: Nullable(Type.Number()),
  longitude: Nullable(Type.Number()),
  /** Null: never heard. */
  quality: Nullable(Quality),
  /** Since when it has been offline or online, by the last flip; null where it is late or in doubt, or no flip is known. */
  since: Nullable(Instant),
  /** The last time that it went offline or came back, as far as is known. */
  flip: Nullable(FleetFlip),
  /** % */
  battery: Nullable(Type.Number()),
  /** dBm */
  rssi: Nullable(Type.Number()),
  fwversion: Nullable(Type.String()),
  heardAt: Nullable(Instant),
});
export type FleetDeviceValue = Static<typeof FleetDeviceValue>;

/** `account:{id}` of the `fleet` stream: how an account's devices stand together. */
export const FleetAccountValue = Type.Object({
  id: Id,
  username: Nullable(Type.String()),
  /** The worst of its devices; null where none was ever heard. */
  quality: Nullable(Quality),
  devices: Type.Integer(),
  late: Type.Integer(),
  offline: Type.Integer(),
  unknown: Type.Integer(),
  /** Those that were never heard; left out by an earlier version. */
  never: Type.Optional(Type.Integer()),
  /** Active or unacknowledged alarms, and the most urgent of them; null where the account is not watched. */
  alarms: Nullable(Type.Integer()),
  worstAlarm: Nullable(AlarmPriority),
  /** True while the relay watches the account by itself, so that its alarms are known. */
  watched: Type.Boolean(),
});
export type FleetAccountValue = Static<typeof FleetAccountValue>;

/** `fleet:list` of the `fleet` stream: how much of the list of devices was read, and from when on flips are known. */
export const FleetListValue = Type.Object({
  /** Devices that were read. */
  loaded: Type.Integer(),
  /** Devices that there are; null until the farm API says so. */
  total: Nullable(Type.Integer()),
  /** From when on each device's last flip is known; null: always, as the farm API records them. */
  knownSince: Nullable(Instant),
});
export type FleetListValue = Static<typeof FleetListValue>;

/** `command:{id}` of the `fleet` stream: a command of the last 24 h that failed, or that no device has confirmed. */
export const FleetCommandValue = Type.Object({
  id: Type.String(),
  account: Id,
  username: Nullable(Type.String()),
  command: Type.String(),
  controllerId: Id,
  channelId: Nullable(Id),
  number: Type.Integer(),
  target: Nullable(Type.Union([Type.Literal(1), Type.Literal(2)])),
  /** How it ended (CMD-1). */
  state: Type.Union([Type.Literal("unconfirmed"), Type.Literal("failed")]),
  by: Actor,
  reason: Nullable(Type.String()),
  /** When it was given up. */
  at: Instant,
});
export type FleetCommandValue = Static<typeof FleetCommandValue>;
