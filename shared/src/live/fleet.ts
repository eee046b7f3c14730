import { type Static, Type } from "typebox";
import { DeviceLink, Quality } from "../rules/quality.ts";
import { ForeignSerial, Id } from "../schema/id.ts";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";
import { Alarm, AlarmPriority } from "./alarm.ts";
import { Actor, ChannelValue } from "./devices.ts";

/** The two priorities that concern administrators. */
const UrgentPriority = Type.Union([Type.Literal(1), Type.Literal(2)]);

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
  /** Name of its farm; null for none, or where it is unknown; absent in an earlier version. */
  farm: Type.Optional(Nullable(Type.String())),
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
  /**
   * The worst of its alarms that are active, not acknowledged and not snoozed, those of its channels included;
   * null: none is known. Absent in an earlier version.
   */
  alarm: Type.Optional(Nullable(UrgentPriority)),
});
export type FleetDeviceValue = Static<typeof FleetDeviceValue>;

/** Reasons why an account with valves is not watched: running water there raises no alarm. */
export const UNWATCHED_REASONS = [
  /** The relay has begun, and has not read the account yet. */
  "starting",
  /** The farm API has no sessions for relays, and the owner has not signed in through the relay. */
  "no-session",
  /** The farm API refuses the relay a session, or refuses it the account's lists. */
  "refused",
  "password-changed",
  /** The owner pressed "stop watching my farm". */
  "stopped-by-owner",
  "secret-lost",
  /** The account is disabled. */
  "disabled",
  /** The limit of watched accounts is reached. */
  "limit",
  /** The farm API, or the node that owns the account, does not answer. */
  "unreadable",
] as const;
export type UnwatchedReason = (typeof UNWATCHED_REASONS)[number];

/**
 * Counts of valves by their last reports: open ones; those of them that are open beyond their end; and those
 * whose state is not known now. Null: not known, which is never 0.
 */
const WaterCounts = {
  openValves: Type.Optional(Nullable(Type.Integer({ minimum: 0 }))),
  openBeyondEnd: Type.Optional(Nullable(Type.Integer({ minimum: 0 }))),
  unknownValves: Type.Optional(Nullable(Type.Integer({ minimum: 0 }))),
};

/** `account:{id}` of the `fleet` stream: summary of an account's devices. */
export const FleetAccountValue = Type.Object({
  id: Id,
  username: Nullable(Type.String()),
  /** Name and telephone of its user; null where unknown or empty, absent in an earlier version. */
  nickname: Type.Optional(Nullable(Type.String())),
  phone: Type.Optional(Nullable(Type.String())),
  /** Its farm by name or place, as the account states it; null where unknown or empty. */
  farmAddress: Type.Optional(Nullable(Type.String())),
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
  /**
   * Devices with valves: controllers and COT sensors. Null where the list of devices names no controllers and
   * the account is not watched. Absent in an earlier version, as are the following fields.
   */
  controllers: Type.Optional(Nullable(Type.Integer({ minimum: 0 }))),
  /** Its valves by their last reports; all null while the account is not watched, or not read yet. */
  ...WaterCounts,
  /** Why an account with valves is not watched; null: it is watched, or has no valves. */
  unwatched: Type.Optional(Nullable(Type.Object({ reason: Type.Enum([...UNWATCHED_REASONS]) }))),
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
  /**
   * Alarms of all watched accounts that are active, not acknowledged and not snoozed, by priority. Null until
   * the list of devices is read. Absent in an earlier version, as are the following fields.
   */
  urgent: Type.Optional(
    Nullable(Type.Object({ p1: Type.Integer({ minimum: 0 }), p2: Type.Integer({ minimum: 0 }) })),
  ),
  /**
   * Sums over the watched accounts, null as `urgent`. While `unwatched` is not 0 they and `urgent` are lower
   * bounds: a 0 is then "none known", not "none".
   */
  ...WaterCounts,
  /**
   * Accounts with valves that are not watched (`unwatched` of the account). Null: not known, because the list
   * is not read yet, or does not name the owners of devices.
   */
  unwatched: Type.Optional(Nullable(Type.Integer({ minimum: 0 }))),
  /** Alarms beyond the limits of the stream that have no key `alarm:…`. They count in `urgent`. */
  leftOff: Type.Optional(Type.Integer({ minimum: 0 })),
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

/** Most alarms of one account in the `fleet` stream, and of all accounts together: the most urgent ones. */
export const FLEET_ALARMS = { perAccount: 20, inAll: 1_000 } as const;

/**
 * `alarm:{account}:{alarmId}` of the `fleet` stream: an alarm of an account of priority 1 or 2 that is active,
 * or was cleared in the last 24 h and not acknowledged. `key`, `name`, `number` and `valves` are the
 * account's own. Alarms of the whole installation (`key` starts with `link:`) are left out.
 */
export const FleetAlarmValue = Type.Object({
  ...Alarm.properties,
  priority: UrgentPriority,
  account: Id,
  username: Nullable(Type.String()),
  /** The first farm of its device (FARM-1); null: on no farm, or an alarm of the whole account. */
  farm: Nullable(Type.Object({ id: Id, name: Type.String() })),
  /**
   * The valve of an alarm about a channel, with its state by its last report; null for other alarms.
   * `controllerId` and `channelId` are those of `POST /relay/fleet/close`.
   */
  valve: Nullable(
    Type.Object({
      controllerId: Id,
      channelId: Type.String(),
      number: Type.Integer(),
      onoff: ChannelValue.properties.onoff,
      runUntil: Nullable(Instant),
    }),
  ),
});
export type FleetAlarmValue = Static<typeof FleetAlarmValue>;
