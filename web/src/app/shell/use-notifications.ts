import type { Notification } from "@mulkko/shared/entities/notification";
import { MAX_NOTIFICATIONS } from "@mulkko/shared/rest/notification";
import { createContext } from "react";
import { fetchNotifications } from "../../api/notifications.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { useFirstSync, useOnEvent } from "../../live/hooks.ts";

/** Return true for an unread notification. The farm API sends a flag or a number; without one it is old. */
export const isUnread = ({ unread }: Notification): boolean => unread === true || unread === 1;

/** Return the ids that can be marked as read: unread ones with a number; a foreign API may have none. */
export function readableIds(notifications: readonly Notification[]): readonly number[] {
  const ids = notifications.filter(isUnread).flatMap(({ id }) => {
    const number = Number(id ?? Number.NaN);
    return Number.isInteger(number) && number > 0 ? [number] : [];
  });
  return ids.slice(0, MAX_NOTIFICATIONS);
}

/** Return the list with these marked as read. */
export function afterReading(
  notifications: readonly Notification[],
  ids: readonly number[],
): readonly Notification[] {
  const read = new Set(ids);
  return notifications.map((each) => (read.has(Number(each.id)) ? { ...each, unread: false } : each));
}

/**
 * Count the unread notifications newer than the last view. The farm API's times sort as text in any zone.
 * `seen` is the newest time at that view, null before the first one.
 */
export const countNew = (notifications: readonly Notification[], seen: string | null): number =>
  notifications.filter((each) => isUnread(each) && (seen === null || each.createdDate > seen)).length;

/** Return the newest time of these notifications and the last view; null without either. */
export const newestOf = (notifications: readonly Notification[], seen: string | null): string | null =>
  notifications.reduce<string | null>(
    (newest, { createdDate }) => (newest === null || createdDate > newest ? createdDate : newest),
    seen,
  );

/** Newest notification time at the last view, for the bell's lists; null before the first one. */
export const SeenNotice = createContext<string | null>(null);

export const NOTIFICATIONS = ["notifications"];

/** Load the notifications after the farm is displayed, on each `refetch`, and when a new one arrives. */
export function useNotifications() {
  const isSynced = useFirstSync() === "done";
  const query = useRestQuery(NOTIFICATIONS, fetchNotifications, { enabled: isSynced });
  useOnEvent((event) => {
    if (event.kind === "notification") void query.refetch();
  });
  return query;
}

/** Return the notifications that the bell has loaded. */
export const useLoadedNotifications = () =>
  useRestQuery(NOTIFICATIONS, fetchNotifications, { enabled: false });
