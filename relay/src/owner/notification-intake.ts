import { createHash } from "node:crypto";
import type { Notification } from "@mulkko/shared/entities/notification";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Log } from "../ports/log.ts";
import type { AccountWriter } from "../ports/writer.ts";
import { logUnkept } from "../store/log-unkept.ts";
import type { AccountStore, Notified } from "../store/store.ts";

/** Turns the farm API's notifications into events, each once. */
export interface NotificationIntake {
  /** The list as it was answered. The first list of an account ever seen is its past, and no news. */
  list(notifications: readonly Notification[]): Promise<void>;
  /** One that was heard on MQTT. */
  heard(notification: Notification): Promise<void>;
}

/** Known by its id, or by the hash of type, message and time where a foreign API has none. */
export function notificationKey(notification: Notification): string {
  const { id, type, message, createdDate } = notification;
  if (id !== null && id !== undefined) return String(id);
  return createHash("sha256")
    .update(JSON.stringify([type, message, createdDate]))
    .digest("base64url")
    .slice(0, 22);
}

export function createNotificationIntake(parts: {
  store: AccountStore;
  writer: AccountWriter;
  zone: ApiTimeZone;
  log: Log;
}): NotificationIntake {
  const { store, writer, zone, log } = parts;
  let mark: Promise<Notified | null> = store.notified();

  const take = async (notifications: readonly Notification[], known: Notified | null): Promise<Notified> => {
    const timed = notifications
      .flatMap((notification) => {
        const at = zone.toInstant(notification.createdDate);
        return at === null ? [] : [{ notification, at, key: notificationKey(notification) }];
      })
      .sort((a, b) => a.at - b.at);
    const isNew = (one: { at: number; key: string }): boolean =>
      known !== null && (one.at > known.at || (one.at === known.at && !known.keys.includes(one.key)));
    const news = timed.filter(isNew);
    for (const { notification, at, key } of news) {
      const { id, type, message, unread } = notification;
      const instant = new Date(at).toISOString();
      writer.event({
        kind: "notification",
        at: instant,
        id: id ?? key,
        type,
        message,
        createdDate: instant,
        unread: unread === true || unread === 1,
      });
    }
    const at = Math.max(known?.at ?? 0, timed.at(-1)?.at ?? 0);
    const keys = new Set(timed.filter((one) => one.at === at).map((one) => one.key));
    if (known?.at === at) for (const key of known.keys) keys.add(key);
    const next = { at, keys: [...keys] };
    if (known === null || news.length > 0) {
      await store.keepNotified(next).catch((error: unknown) => {
        logUnkept(log, "warn", { err: error }, "the newest notification could not be kept");
      });
    }
    return next;
  };
  const inTurn = (notifications: readonly Notification[], heard: boolean): Promise<void> => {
    mark = mark.then((known) => take(notifications, known ?? (heard ? { at: 0, keys: [] } : null)));
    return mark.then(() => undefined);
  };
  return {
    list: (notifications) => inTurn(notifications, false),
    heard: (notification) => inTurn([notification], true),
  };
}
