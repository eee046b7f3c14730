import type { Notification } from "@mulkko/shared/entities/notification";
import { MAX_NOTIFICATIONS } from "@mulkko/shared/rest/notification";

/** The farm API says it as a flag or as a number; what it does not say is old. */
export const isUnread = ({ unread }: Notification): boolean => unread === true || unread === 1;

/** What can be marked as read: unread, and known by a number, as a foreign API's need not be. */
export function readableIds(notifications: readonly Notification[]): readonly number[] {
  const ids = notifications.filter(isUnread).flatMap(({ id }) => {
    const number = Number(id ?? Number.NaN);
    return Number.isInteger(number) && number > 0 ? [number] : [];
  });
  return ids.slice(0, MAX_NOTIFICATIONS);
}

/** The list as it is once these were read. */
export function afterReading(
  notifications: readonly Notification[],
  ids: readonly number[],
): readonly Notification[] {
  const read = new Set(ids);
  return notifications.map((each) => (read.has(Number(each.id)) ? { ...each, unread: false } : each));
}
