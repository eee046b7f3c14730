import type { Notification, NotificationType } from "@mulkko/shared/entities/notification";
import { MAX_NOTIFICATIONS } from "@mulkko/shared/rest/notification";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Queryable } from "../database/database.ts";
import type { Outputs } from "../ingest/outputs.ts";

interface NotificationRow {
  id: number;
  type: NotificationType;
  message: string;
  unread: boolean;
  created_at: number;
}

/** List an account's notifications, newest first. */
export async function listNotifications(
  database: Queryable,
  zone: ApiTimeZone,
  accountId: string,
): Promise<Notification[]> {
  const rows = await database.query<NotificationRow>(
    `select id, type, message, unread, created_at from notification
     where account_id = $1 order by created_at desc, id desc limit $2`,
    [accountId, MAX_NOTIFICATIONS],
  );
  return rows.map((row) => notificationOf(row, zone));
}

const notificationOf = ({ created_at, ...row }: NotificationRow, zone: ApiTimeZone): Notification => ({
  ...row,
  createdDate: zone.toApi(created_at),
});

/** A notification to be stored. */
export interface NewNotification {
  readonly accountId: string;
  readonly type: NotificationType;
  readonly message: string;
  /** ms since 1970 UTC */
  readonly at: number;
  readonly unread?: boolean;
}

/** @returns the notification in the API's format */
export async function insertNotification(
  database: Queryable,
  zone: ApiTimeZone,
  notification: NewNotification,
): Promise<Notification> {
  const { accountId, type, message, at, unread = true } = notification;
  const [row] = await database.query<NotificationRow>(
    `insert into notification (account_id, type, message, unread, created_at) values ($1, $2, $3, $4, $5)
     returning id, type, message, unread, created_at`,
    [accountId, type, message, unread, new Date(at)],
  );
  if (!row) throw new Error("the notification was not stored");
  return notificationOf(row, zone);
}

/** Mark notifications as read. @returns false, without changes, where one belongs to another account */
export async function markRead(tx: Queryable, accountId: string, ids: readonly number[]): Promise<boolean> {
  const distinct = [...new Set(ids)];
  const found = await tx.query(
    "select id from notification where account_id = $1 and id = any($2::int[]) for update",
    [accountId, distinct],
  );
  if (found.length < distinct.length) return false;
  await tx.query("update notification set unread = false where id = any($1::int[]) and unread", [distinct]);
  return true;
}

/** Store a notification and send it to subscribers. */
export async function notify(
  parts: { readonly database: Queryable; readonly outputs: Outputs; readonly zone: ApiTimeZone },
  notification: NewNotification,
): Promise<void> {
  const stored = await insertNotification(parts.database, parts.zone, notification);
  parts.outputs.notification(notification.accountId, stored);
}
