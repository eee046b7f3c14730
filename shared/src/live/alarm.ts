import { type Static, Type } from "typebox";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";
import { TextRecord } from "../schema/text-record.ts";
import { Actor } from "./devices.ts";

/** What an alarm can be about (ALM-1). The last three stand for many devices at once (ALM-4). */
export const AlarmType = Type.Union([
  /** Notifications of the farm API; `notice` is one of a type that nobody knows. */
  Type.Literal("battery"),
  Type.Literal("rssi"),
  Type.Literal("device"),
  Type.Literal("notice"),
  /** A device without valves is silent. */
  Type.Literal("offline"),
  /** A device with valves is silent or has lost its connection; the second while water runs by its last report. */
  Type.Literal("controller-offline"),
  Type.Literal("controller-offline-watering"),
  /** The soil is outside the bounds of the automatic mode in charge. */
  Type.Literal("out-of-bounds"),
  /** A valve did not do, or did not say that it did, what it was told. */
  Type.Literal("command-unconfirmed"),
  Type.Literal("command-failed"),
  /** A valve is open beyond the end of its run, or of its mode's watering time. */
  Type.Literal("open-too-long"),
  /** A valve was opened by nobody that is known (CMD-6). */
  Type.Literal("external-open"),
  /** The soil is no wetter after a watering. */
  Type.Literal("no-rise"),
  /** The farm API no longer lets the relay read the account. */
  Type.Literal("no-access"),
  /** The farm API stores no readings; an alarm of administrators. */
  Type.Literal("not-storing"),
  Type.Literal("upstream-down"),
  Type.Literal("broker-down"),
  Type.Literal("farm-link"),
]);
export type AlarmType = Static<typeof AlarmType>;

/** 1 is the most urgent. */
export const AlarmPriority = Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(3)]);
export type AlarmPriority = Static<typeof AlarmPriority>;

/** Who has seen it, when, and what they said of it. */
export const Acknowledgement = Type.Object({ by: Actor, at: Instant, comment: Nullable(Type.String()) });
export type Acknowledgement = Static<typeof Acknowledgement>;

/** What an alarm says beyond its type: measurements, bounds, times, the words of a notification. */
export const AlarmDetail = TextRecord(Type.Union([Type.Number(), Type.String(), Type.Null()]));
export type AlarmDetail = Static<typeof AlarmDetail>;

/**
 * `alarm:{id}`: there while it is active, or nobody has acknowledged it (ALM-2). `key` is what it is about: a key
 * of `devices`, or `link:upstream`, `link:mqtt`, `link:storage`, `account`.
 */
export const Alarm = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  key: Type.String({ minLength: 1, maxLength: 160 }),
  type: AlarmType,
  priority: AlarmPriority,
  /** How often it was raised; of an outage: the devices that it stands for (ALM-4). */
  count: Type.Integer({ minimum: 1 }),
  active: Type.Boolean(),
  /** When it became active last. */
  raisedAt: Instant,
  clearedAt: Nullable(Instant),
  ack: Nullable(Acknowledgement),
  snooze: Nullable(Type.Object({ until: Instant, reason: Type.String() })),
  detail: Type.Optional(Nullable(AlarmDetail)),
});
export type Alarm = Static<typeof Alarm>;
