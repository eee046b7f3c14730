import { Notification } from "@mulkko/shared/entities/notification";
import { apiPath } from "@mulkko/shared/rest/routes";
import { Type } from "typebox";
import { get, type RestClient, send } from "./client.ts";

/** Fetch the farm API's notifications, newest first, at most 100; their times are in the API's zone. */
export const fetchNotifications = (rest: RestClient, signal: AbortSignal) =>
  get(rest, apiPath.notifications, Type.Array(Notification), signal);

/** Mark at most a hundred notifications as read (extension `noti-read`). */
export const readNotifications = (rest: RestClient, ids: readonly number[]) =>
  send(rest, { method: "POST", path: apiPath.notificationsRead, body: { ids } });
