import type { NotificationType } from "@mulkko/shared/entities/notification";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { type AccountRow, findAccount } from "../../accounts/repository.ts";
import type { Database, Queryable } from "../../database/database.ts";
import type { Outputs } from "../../ingest/outputs.ts";
import type { Mailer } from "../../mail/mailer.ts";
import { alertMail } from "../alert-mail.ts";
import { insertNotification } from "../repository.ts";
import { sayTime, sentenceOf } from "./messages.ts";
import { beginCondition, endCondition } from "./repository.ts";

/** Time in which further notifications join the same mail, ms. */
const GATHER_MS = 3 * 60_000;
/** Most notifications listed in a mail; the rest appear as a count. */
const MAX_LINES = 50;
/** Most accounts mailed per check; the others follow at the next check. */
const MAX_ACCOUNTS = 50;

/** Add a notification to the next mail of its account. */
async function addToDigest(
  tx: Queryable,
  accountId: string,
  notificationId: number,
  now: number,
): Promise<void> {
  await tx.query("insert into alert_mail (notification_id, account_id, waits_since) values ($1, $2, $3)", [
    notificationId,
    accountId,
    new Date(now),
  ]);
}

interface LineRow {
  message: string;
  created_at: number;
  total: number;
}

const takesMail = ({ email_notification, disabled, user_address }: AccountRow): boolean =>
  email_notification && !disabled && user_address !== "";

async function postDigest(
  tx: Queryable,
  parts: { readonly mailer: Mailer; readonly publicUrl: string },
  accountId: string,
): Promise<void> {
  const account = await findAccount(tx, accountId);
  const lines = await tx.query<LineRow>(
    `with going as (delete from alert_mail where account_id = $1 returning notification_id)
     select message, created_at, count(*) over () as total
     from going join notification on notification.id = notification_id order by notification.id limit $2`,
    [accountId, MAX_LINES],
  );
  const [first] = lines;
  // An account that turned mail off meanwhile receives none.
  if (!first || !account || !takesMail(account)) return;
  const written = lines.map(({ created_at, message }) => ({ time: sayTime(created_at, account), message }));
  await parts.mailer.post(
    tx,
    accountId,
    alertMail(account, account.user_address, written, first.total, parts.publicUrl),
  );
}

export interface NotifierDeps {
  readonly database: Database;
  readonly outputs: Outputs;
  readonly mailer: Mailer;
  /** URL of the web client. */
  readonly publicUrl: string;
  readonly zone: ApiTimeZone;
}

/** Store the conditions of devices, and notify their owners. Times are ms since 1970 UTC. */
export interface Notifier {
  /** Store that a condition began, with its notification. @throws DatabaseError */
  begin(deviceId: string, type: NotificationType, value: number, now: number): Promise<void>;
  /** @throws DatabaseError */
  end(deviceId: string, type: NotificationType): Promise<void>;
  /** Send due notifications by mail, one mail per account. @throws DatabaseError */
  postDigests(now: number): Promise<void>;
}

export function createNotifier(deps: NotifierDeps): Notifier {
  const { database, outputs, mailer, zone } = deps;
  return {
    async begin(deviceId, type, value, now) {
      const stored = await database.transaction(async (tx) => {
        const subject = await beginCondition(tx, deviceId, type, now);
        if (!subject) return null;
        const { accountId, name, wantsMail } = subject;
        const message = sentenceOf(type, name, value, subject);
        const notification = await insertNotification(tx, zone, { accountId, type, message, at: now });
        if (wantsMail) await addToDigest(tx, accountId, Number(notification.id), now);
        return { accountId, notification };
      });
      if (stored) outputs.notification(stored.accountId, stored.notification);
    },
    end: (deviceId, type) => endCondition(database, deviceId, type),
    async postDigests(now) {
      const due = await database.query<{ account_id: string }>(
        `select account_id from alert_mail group by account_id
         having min(waits_since) <= $1 order by min(waits_since), account_id limit $2`,
        [new Date(now - GATHER_MS), MAX_ACCOUNTS],
      );
      for (const { account_id } of due) await database.transaction((tx) => postDigest(tx, deps, account_id));
      if (due.length > 0) await mailer.drain();
    },
  };
}
