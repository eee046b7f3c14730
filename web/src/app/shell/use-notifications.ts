import type { Notification } from "@mulkko/shared/entities/notification";
import { MAX_NOTIFICATIONS } from "@mulkko/shared/rest/notification";
import { useQueryClient } from "@tanstack/react-query";
import { createContext, useCallback, useMemo } from "react";
import { errorCode } from "../../api/errors.ts";
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

/** The bell's notifications, for its lists. */
export interface BellNotifications extends Pick<Notifications, "loaded" | "keep"> {
  /** Number of unread ones that arrived after the last view. */
  readonly fresh: number;
}

export const BellNotifications = createContext<BellNotifications>({
  loaded: { state: "loading" },
  keep: () => undefined,
  fresh: 0,
});

/** Loading state of the farm API's notifications. */
type LoadedNotifications =
  | { readonly state: "loading" }
  | { readonly state: "there"; readonly notifications: readonly Notification[] }
  | { readonly state: "failed"; readonly code: string };

export interface Notifications {
  readonly loaded: LoadedNotifications;
  /** Load again; the current list stays until the answer. */
  reload(): void;
  /** Replace the list after a change that the farm API has confirmed. */
  keep(notifications: readonly Notification[]): void;
}

const NOTIFICATIONS = ["notifications"];

/** Load the notifications after the farm is displayed, on each `reload`, and when a new one arrives. */
export function useNotifications(): Notifications {
  const queries = useQueryClient();
  const isSynced = useFirstSync() === "done";
  const { data, error, refetch } = useRestQuery(NOTIFICATIONS, fetchNotifications, { enabled: isSynced });
  const reload = useCallback(() => void refetch(), [refetch]);
  const keep = useCallback(
    (notifications: readonly Notification[]) => queries.setQueryData(NOTIFICATIONS, notifications),
    [queries],
  );
  useOnEvent((event) => {
    if (event.kind === "notification") reload();
  });
  const loaded = useMemo((): LoadedNotifications => {
    if (error !== null) return { state: "failed", code: errorCode(error) };
    return data === null ? { state: "loading" } : { state: "there", notifications: data };
  }, [data, error]);
  return { loaded, reload, keep };
}
