import { type Static, Type } from "typebox";
import { Id } from "../schema/id.ts";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";
import { Alarm } from "./alarm.ts";
import { Actor, CommandState, LiveReading } from "./devices.ts";
import { Watering } from "./watering.ts";

/** A notification of the farm API. */
export const NotificationEvent = Type.Object({
  kind: Type.Literal("notification"),
  at: Instant,
  id: Id,
  type: Type.String(),
  message: Type.String(),
  createdDate: Instant,
  unread: Type.Boolean(),
});

/**
 * A device went offline or came back. `last` is its previous contact, `value` a sensor's value at that time.
 */
export const FlipEvent = Type.Object({
  kind: Type.Literal("flip"),
  at: Instant,
  key: Type.String(),
  online: Type.Boolean(),
  last: Nullable(Instant),
  value: Type.Optional(Nullable(LiveReading)),
});

/** The reason that an administrator wrote down with a close in another account (CMD-21). */
export const AdministratorClose = Type.Object({ reason: Type.String() });
export type AdministratorClose = Static<typeof AdministratorClose>;

/**
 * On a close that the relay has not stored: it is lost with the relay, so its sender repeats it under the same id
 * (CMD-8, NODE-3). Absent on what is stored.
 */
export const NotKept = Type.Optional(Type.Literal(false));

/** A step of a command (CMD-1). `target` is null for commands that move no valve. */
export const CommandEvent = Type.Object({
  kind: Type.Literal("command"),
  at: Instant,
  id: Type.String(),
  command: Type.String(),
  controllerId: Id,
  channelId: Nullable(Id),
  number: Type.Integer(),
  target: Nullable(Type.Union([Type.Literal(1), Type.Literal(2)])),
  state: CommandState,
  by: Actor,
  reason: Type.Optional(Type.String()),
  kept: NotKept,
  runUntil: Type.Optional(Instant),
  /**
   * For the relay's close of an opening that the farm API carried out late: the press time and the user of
   * that opening.
   */
  lateOpening: Type.Optional(Type.Object({ pressedAt: Instant, by: Actor })),
  /** For a close by an administrator of another account (CMD-21): the reason that `by` wrote down. */
  administrator: Type.Optional(AdministratorClose),
});

/** A watering of a channel started or ended. */
export const WateringEvent = Type.Object({ kind: Type.Literal("watering"), at: Instant, watering: Watering });

/** An alarm was raised, cleared, acknowledged or snoozed; `alarm` is its new state. */
export const AlarmEvent = Type.Object({ kind: Type.Literal("alarm"), at: Instant, alarm: Alarm });

/** One entry of the activity log; `kind` is its type. */
export const LiveEvent = Type.Union([NotificationEvent, FlipEvent, CommandEvent, WateringEvent, AlarmEvent]);
export type LiveEvent = Static<typeof LiveEvent>;
export type NotificationEvent = Static<typeof NotificationEvent>;
export type FlipEvent = Static<typeof FlipEvent>;
export type CommandEvent = Static<typeof CommandEvent>;
export type WateringEvent = Static<typeof WateringEvent>;
export type AlarmEvent = Static<typeof AlarmEvent>;
