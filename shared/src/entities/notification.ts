import { type Static, Type } from "typebox";
import { Id } from "../schema/id.ts";
import { Nullable } from "../schema/nullable.ts";

export const NOTIFICATION_TYPES = ["BATTERY", "RSSI", "DEVICE"] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/** A notification as `GET /api/v1/noti/list` returns it. */
export const Notification = Type.Object({
  /** Present in the bundled API; a foreign API may lack it. */
  id: Type.Optional(Nullable(Id)),
  type: Type.String(),
  message: Type.String(),
  createdDate: Type.String(),
  unread: Type.Optional(Nullable(Type.Union([Type.Boolean(), Type.Integer()]))),
});
export type Notification = Static<typeof Notification>;
