import type { Notification } from "@mulkko/shared/entities/notification";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { errorCode } from "../../api/errors.ts";
import { fetchNotifications } from "../../api/notifications.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { useFirstSync, useOnEvent } from "../../live/hooks.ts";

/** Loading state of the farm API's notifications. */
export type LoadedNotifications =
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
