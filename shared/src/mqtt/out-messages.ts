import { type Static, Type } from "typebox";
import { ControllerState } from "../entities/controller-state.ts";
import { LogEntry } from "../entities/log-entry.ts";
import { Notification } from "../entities/notification.ts";
import { Id } from "../schema/id.ts";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";

/**
 * `mulkko/out/{userId}/sensor/{sensorId}`: the log entry as stored; `at` is the measurement, `receivedAt` the
 * arrival, `backAt` the contact after the sensor's last gap of an hour or more (FLIP-1).
 */
export const OutReading = Type.Intersect([
  LogEntry,
  Type.Object({ at: Instant, receivedAt: Instant, backAt: Type.Optional(Instant) }),
]);
export type OutReading = Static<typeof OutReading>;

/** `mulkko/out/{userId}/channel/{channelId}`: a channel's state as stored. */
export const OutChannel = Type.Intersect([
  ControllerState,
  Type.Object({
    at: Nullable(Instant),
    heardAt: Nullable(Instant),
    /**
     * True where the device itself has just sent this state. False for a retained one, for changed settings and
     * for a changed link. Absent (an earlier version): not known, so it is no new contact (ORD-4).
     */
    isLive: Type.Optional(Type.Boolean()),
    moisture: Type.Optional(Nullable(Type.Number())),
  }),
]);
export type OutChannel = Static<typeof OutChannel>;

/** `mulkko/out/{userId}/noti` */
export const OutNotification = Notification;

/** `mulkko/out/{userId}/changed`: data was written; readers request it again. */
export const OutChanged = Type.Object({
  entity: Type.Union([
    Type.Literal("sensor"),
    Type.Literal("farm"),
    Type.Literal("controller"),
    Type.Literal("channel"),
    Type.Literal("notification"),
    Type.Literal("account"),
    /** The account has another password: sessions opened with the old one end. */
    Type.Literal("password"),
  ]),
  id: Id,
});
export type OutChanged = Static<typeof OutChanged>;
