import { Notification } from "@mulkko/shared/entities/notification";
import { apiPath } from "@mulkko/shared/rest/routes";
import { Type } from "typebox";
import type { RestClient } from "./client.ts";

/** Fetch the farm API's notifications, newest first, at most 100; their times are in the API's zone. */
export function fetchNotifications(rest: RestClient, signal: AbortSignal): Promise<Notification[]> {
  return rest.call({
    method: "GET",
    path: apiPath.notifications,
    answer: Type.Array(Notification),
    signal,
  });
}

/** Mark at most a hundred notifications as read (extension `noti-read`). */
export async function readNotifications(rest: RestClient, ids: readonly number[]): Promise<void> {
  const body = { ids };
  await rest.call({ method: "POST", path: apiPath.notificationsRead, answer: Type.Unknown(), body });
}
