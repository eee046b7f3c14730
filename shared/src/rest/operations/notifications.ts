import Type from "typebox";
import { Notification } from "../../entities/notification.ts";
import { NotificationReadBody } from "../notification.ts";
import type { Operation } from "./operation.ts";

export const notificationList = {
  methods: ["GET"],
  path: "/api/v1/noti/list",
  answer: Type.Array(Notification),
  readableAs: true,
} as const satisfies Operation;

/** Extension `noti-read`. */
export const notificationRead = {
  methods: ["POST"],
  path: "/api/v1/noti/read",
  body: NotificationReadBody,
  answer: null,
  changes: ["notification"],
} as const satisfies Operation;
