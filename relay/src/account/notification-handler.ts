import { createHash } from "node:crypto";
import type { Notification } from "@mulkko/shared/entities/notification";
import type { Clock } from "@mulkko/shared/rules/clock";
import { type ApiClock, isRepeated, newestTime } from "@mulkko/shared/rules/zoneless-time";
import Type from "typebox";
import { putSingle, type SingleCollection } from "../store/collections.ts";
import type { Documents } from "../store/documents.ts";
import type { DocumentWriter } from "../store/write-behind.ts";
import type { AccountState } from "./account-state.ts";
import type { TimeAhead } from "./time-ahead.ts";

/** Turns the farm API's notifications into events, each once. */
export interface NotificationHandler {
  /**
   * Apply a polled list. The first list ever seen of an account is its past, and causes no events.
   *
   * @throws StoreUnavailableError where the store has not yet said which were events; the next call asks it again
   */
  list(notifications: readonly Notification[]): Promise<void>;
  /** Apply a notification received by MQTT. */
  received(notification: Notification): Promise<void>;
}

/**
 * Return the key of a notification: its id, or the hash of type, message and time if a foreign API has none.
 */
export function notificationKey(notification: Notification): string {
  const { id, type, message, createdDate } = notification;
  if (id !== null && id !== undefined) return String(id);
  return createHash("sha256")
    .update(JSON.stringify([type, message, createdDate]))
    .digest("base64url")
    .slice(0, 22);
}

/** The time of the newest notification that has become an event, ms UTC, and the keys of all with that time. */
const Notified = Type.Object({ at: Type.Number(), keys: Type.Array(Type.String()) });
type Notified = Type.Static<typeof Notified>;

/** The newest notification of an account; none for one whose list was never read. */
export const NOTIFIED = {
  ...{ name: "notified", shape: "single", value: Notified, rewritten: true },
  sqlite: { table: "accounts", value: "notified", shared: true },
  redis: { documents: "notified" },
} as const satisfies SingleCollection;

export function createNotificationHandler(deps: {
  store: Pick<Documents, "single">;
  writer: DocumentWriter;
  state: Pick<AccountState, "event">;
  apiClock: ApiClock;
  clock: Pick<Clock, "now">;
  times: Pick<TimeAhead, "isPossible">;
}): NotificationHandler {
  const { store, writer, state, apiClock, clock } = deps;
  const { zone } = apiClock;
  const { isPossible } = deps.times;
  const readMark = async (): Promise<Notified | null> => {
    const stored = await store.single(NOTIFIED);
    return stored?.ok ? stored.value : null;
  };
  /** The newest that became an event; undefined until the store has answered. */
  let mark: Notified | null | undefined;
  // What an owner has read it writes again after a loss (NODE-2). A failed read is repeated with the first list.
  let last: Promise<unknown> = readMark().then(
    (found) => {
      mark = found;
    },
    () => undefined,
  );

  const process = async (
    notifications: readonly Notification[],
    known: Notified | null,
    isReceived: boolean,
  ): Promise<Notified> => {
    const since = known === null ? 0 : isPossible(known.at) ? known.at : clock.now();
    const timed = notifications
      .flatMap((notification) => {
        const said = newestTime(notification.createdDate, zone, { now: apiClock.now() });
        if (said === null) return [];
        const key = notificationKey(notification);
        const isAhead = !isPossible(said);
        return [
          { notification, key, isAhead, at: isAhead ? clock.now() : said, isUnsure: isRepeated(said, zone) },
        ];
      })
      .sort((a, b) => a.at - b.at);
    const isNew = (one: { at: number; key: string; isAhead: boolean }): boolean =>
      known !== null && (one.isAhead || one.at >= since) && !known.keys.includes(one.key);
    const fresh = timed.filter(isNew);
    for (const { notification, at, key } of fresh) {
      const { id, type, message, unread } = notification;
      const instant = new Date(at).toISOString();
      state.event({
        kind: "notification",
        at: instant,
        id: id ?? key,
        type,
        message,
        createdDate: instant,
        unread: unread === true || unread === 1,
      });
    }
    // Remember one from the future by its key while it is listed: its time would block all others (ONL-6).
    // Remember one of a repeated hour too: an hour later its time is read as the second occurrence (TIME-1).
    const counts = timed.findLast(
      ({ key, isAhead, isUnsure }) => !isAhead && !(isUnsure && known?.keys.includes(key)),
    );
    const at = Math.max(since, counts?.at ?? 0);
    const keys = new Set(
      timed.filter((one) => one.at === at || one.isAhead || one.isUnsure).map((one) => one.key),
    );
    if (known?.at === at || isReceived) for (const key of known?.keys ?? []) keys.add(key);
    const next = { at, keys: [...keys] };
    if (known === null || fresh.length > 0) {
      await writer.put([putSingle(NOTIFIED, next)]);
    }
    return next;
  };
  /** One at a time. A list that fails does not stop the next. */
  const inTurn = (notifications: readonly Notification[], isPush: boolean): Promise<void> => {
    const work = last.then(async () => {
      if (mark === undefined) mark = await readMark();
      mark = await process(notifications, mark ?? (isPush ? { at: 0, keys: [] } : null), isPush);
    });
    last = work.catch(() => undefined);
    return work;
  };
  return {
    list: (notifications) => inTurn(notifications, false),
    received: (notification) => inTurn([notification], true),
  };
}
