import type { OutboxEntry } from "@mulkko/shared/rest/admin";
import type { Page } from "@mulkko/shared/rest/paging";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Queryable } from "../database/database.ts";
import type { Slice } from "../http/paging.ts";
import type { Mail } from "./transport.ts";

/** Limits of stored mails by age and number. */
const KEPT_MS = 30 * 86_400_000;
const MAX_KEPT = 10_000;
/** Mails claimed at once. */
const BATCH = 20;
/** Delays before the second, third … attempt; after the last one a mail is given up. */
export const RETRY_AFTER_MS = [1, 5, 15, 60, 240].map((minutes) => minutes * 60_000);
/** A claimed mail without a result, because the process died, is tried again after this, ms. */
const CLAIM_MS = 5 * 60_000;

export interface WaitingMail extends Mail {
  readonly id: number;
  /** Includes this attempt. */
  readonly attempts: number;
}

/** @param state `kept` without a mail server @param now ms since 1970 UTC */
export async function insertMail(
  database: Queryable,
  accountId: string,
  { to, subject, text }: Mail,
  state: "waiting" | "kept",
  now: number,
): Promise<void> {
  await database.query(
    `insert into outbox (account_id, recipient, subject, body, state, next_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $6)`,
    [accountId, to, subject, text, state, new Date(now)],
  );
}

interface ClaimedRow {
  id: number;
  recipient: string;
  subject: string;
  body: string;
  attempts: number;
}

/** Claim due mails, so that no other process sends them too. */
export async function claimMails(database: Queryable, now: number): Promise<WaitingMail[]> {
  const rows = await database.query<ClaimedRow>(
    `update outbox set attempts = attempts + 1, next_at = $2 where id in
       (select id from outbox where state = 'waiting' and next_at <= $1 order by id limit $3
        for update skip locked)
     returning id, recipient, subject, body, attempts`,
    [new Date(now), new Date(now + CLAIM_MS), BATCH],
  );
  return rows.map(({ recipient, body, ...row }) => ({ ...row, to: recipient, text: body }));
}

/** Mark a mail as sent, and remove its text, which may contain a secret. */
export async function markSent(database: Queryable, id: number): Promise<void> {
  await database.query("update outbox set state = 'sent', body = '', error = null where id = $1", [id]);
}

/** @param retryAt ms since 1970 UTC; null gives the mail up */
export async function markNotSent(
  database: Queryable,
  id: number,
  error: string,
  retryAt: number | null,
): Promise<void> {
  await database.query("update outbox set state = $2, error = $3, next_at = $4 where id = $1", [
    id,
    retryAt === null ? "failed" : "waiting",
    error.slice(0, 500),
    retryAt === null ? null : new Date(retryAt),
  ]);
}

interface OutboxRow extends ClaimedRow {
  state: OutboxEntry["state"];
  error: string | null;
  created_at: number;
}

/** Return a page of mails, newest first. */
export async function listOutbox(
  database: Queryable,
  zone: ApiTimeZone,
  { limit, offset }: Slice,
): Promise<Page<OutboxEntry>> {
  const [total] = await database.query<{ count: number }>("select count(*) as count from outbox");
  const rows = await database.query<OutboxRow>("select * from outbox order by id desc limit $1 offset $2", [
    limit,
    offset,
  ]);
  const content = rows.map((row) => ({
    id: row.id,
    createdDate: zone.toApi(row.created_at),
    recipient: row.recipient,
    subject: row.subject,
    body: row.body,
    state: row.state,
    error: row.error,
  }));
  return { content, totalElements: total?.count ?? 0 };
}

export async function sweepOutbox(database: Queryable, now: number): Promise<void> {
  await database.query(
    `delete from outbox where created_at < $1
       or id <= (select id from outbox order by id desc offset $2 limit 1)`,
    [new Date(now - KEPT_MS), MAX_KEPT],
  );
}
