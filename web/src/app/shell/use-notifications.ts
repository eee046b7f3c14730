import type { Notification } from "@mulkko/shared/entities/notification";
import { useCallback, useEffect, useState } from "react";
import { useFirstSync, useOnEvent } from "../../live/hooks.ts";
import { errorCode } from "../../rest/errors.ts";
import { useRest } from "../../rest/hooks.ts";
import { fetchNotifications } from "../../rest/notifications.ts";

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

/** Load the notifications after the farm is displayed, on each `reload`, and when a new one arrives. */
export function useNotifications(): Notifications {
  const { client } = useRest();
  const isSynced = useFirstSync() === "done";
  const [loaded, setLoaded] = useState<LoadedNotifications>({ state: "loading" });
  const [asked, setAsked] = useState(0);
  const isWanted = isSynced || asked > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` counts the requests for the list
  useEffect(() => {
    if (!isWanted) return;
    const abort = new AbortController();
    fetchNotifications(client, abort.signal).then(
      (notifications) => setLoaded({ state: "there", notifications }),
      (problem: unknown) => {
        if (!abort.signal.aborted) setLoaded({ state: "failed", code: errorCode(problem) });
      },
    );
    return () => abort.abort();
  }, [client, asked, isWanted]);
  const reload = useCallback(() => setAsked((count) => count + 1), []);
  const keep = useCallback(
    (notifications: readonly Notification[]) => setLoaded({ state: "there", notifications }),
    [],
  );
  useOnEvent((event) => {
    if (event.kind === "notification") reload();
  });
  return { loaded, reload, keep };
}
