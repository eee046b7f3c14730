import { type Static, Type } from "typebox";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";
import { TextRecord } from "../schema/text-record.ts";
import { Actor } from "./devices.ts";

/** Subjects of an alarm (ALM-1). The last three cover many devices at once (ALM-4). */
export const AlarmType = Type.Union([
  /** Notifications of the farm API; `notice` is one of an unknown type. */
  Type.Literal("battery"),
  Type.Literal("rssi"),
  Type.Literal("device"),
  Type.Literal("notice"),
  /** A device without valves is silent. */
  Type.Literal("offline"),
  /**
   * A device with valves is silent or has lost its connection; the second type while a valve is open by its
   * last report.
   */
  Type.Literal("controller-offline"),
  Type.Literal("controller-offline-watering"),
  /** The soil is outside the bounds of the automatic mode in charge. */
  Type.Literal("out-of-bounds"),
  /** A valve did not execute a command, or did not confirm it. */
  Type.Literal("command-unconfirmed"),
  Type.Literal("command-failed"),
  /** An opening was carried out after its close, or after the end of its run; the relay closes the valve. */
  Type.Literal("late-opening"),
  /** A valve is open beyond the end of its run, or of its mode's watering time. */
  Type.Literal("open-too-long"),
  /** A valve was opened from an unknown source (CMD-6). */
  Type.Literal("external-open"),
  /** The soil is no wetter after a watering. */
  Type.Literal("no-rise"),
  /** The device's clock is wrong: its times are those of their arrival (ORD-2). */
  Type.Literal("clock-wrong"),
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

/** The user who acknowledged it, the time, and the comment. */
export const Acknowledgement = Type.Object({ by: Actor, at: Instant, comment: Nullable(Type.String()) });
export type Acknowledgement = Static<typeof Acknowledgement>;

/** Details of an alarm beyond its type: measurements, bounds, times, the text of a notification. */
export const AlarmDetail = TextRecord(Type.Union([Type.Number(), Type.String(), Type.Null()]));
export type AlarmDetail = Static<typeof AlarmDetail>;

/**
 * A valve that is open by its last report. `until` is when it closes by itself; null: it does not, or this is
 * unknown. A display gets no `valveName` (HS-2).
 */
export const OpenValve = Type.Object({
  channelId: Type.String(),
  number: Type.Integer(),
  valveName: Type.Optional(Type.String()),
  until: Nullable(Instant),
});
export type OpenValve = Static<typeof OpenValve>;

/**
 * `alarm:{id}`: present while it is active or unacknowledged (ALM-2). `key` is its subject: a key of
 * `devices`, or `link:upstream`, `link:mqtt`, `link:storage`, `account`.
 */
export const Alarm = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  key: Type.String({ minLength: 1, maxLength: 160 }),
  /** Name of `key` when the alarm was raised, and its number if it is a channel; absent in older alarms. */
  name: Type.Optional(Type.String()),
  number: Type.Optional(Type.Integer()),
  type: AlarmType,
  priority: AlarmPriority,
  /** How often it was raised; of an outage: the number of devices that it covers (ALM-4). */
  count: Type.Integer({ minimum: 1 }),
  active: Type.Boolean(),
  /** Time of the last activation. */
  raisedAt: Instant,
  clearedAt: Nullable(Instant),
  ack: Nullable(Acknowledgement),
  snooze: Nullable(Type.Object({ until: Instant, reason: Type.String() })),
  detail: Type.Optional(Nullable(AlarmDetail)),
  /** The open valves of `controller-offline-watering`. */
  valves: Type.Optional(Type.Array(OpenValve)),
});
export type Alarm = Static<typeof Alarm>;
