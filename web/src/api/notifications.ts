import { Notification } from "@mulkko/shared/entities/notification";
import { notificationList, notificationRead } from "@mulkko/shared/rest/operations/notifications";
import { callOf } from "@mulkko/shared/rest/operations/operation";
import { Type } from "typebox";
import { get, type RestClient, send } from "./client.ts";

/** Fetch the farm API's notifications, newest first, at most 100; their times are in the API's zone. */
export const fetchNotifications = (rest: RestClient, signal: AbortSignal) =>
  get(rest, notificationList.path, Type.Array(Notification), signal);

/** Mark at most a hundred notifications as read (extension `noti-read`). */
export const readNotifications = (rest: RestClient, ids: readonly number[]) =>
  send(rest, { ...callOf(notificationRead, {}), body: { ids } });
