import type { ContactBody } from "@mulkko/shared/rest/account";
import type { ContactEntry } from "@mulkko/shared/rest/admin";
import type { Page } from "@mulkko/shared/rest/paging";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Queryable } from "../database/database.ts";
import type { Slice } from "../http/paging.ts";

/** How long messages are kept, ms. */
const KEPT_MS = 3 * 365 * 86_400_000;

/** @param now ms since 1970 UTC */
export async function insertContact(
  database: Queryable,
  accountId: string,
  { name, title, message }: Required<ContactBody>,
  now: number,
): Promise<void> {
  await database.query(
    "insert into contact (account_id, name, title, message, created_at) values ($1, $2, $3, $4, $5)",
    [accountId, name, title, message, new Date(now)],
  );
}

interface ContactRow {
  id: number;
  account_id: string;
  username: string;
  name: string;
  title: string;
  message: string;
  created_at: number;
}

/** Return a page of messages, newest first. */
export async function listContacts(
  database: Queryable,
  zone: ApiTimeZone,
  { limit, offset }: Slice,
): Promise<Page<ContactEntry>> {
  const [total] = await database.query<{ count: number }>("select count(*) as count from contact");
  const rows = await database.query<ContactRow>(
    `select contact.*, account.username from contact join account on account.id = contact.account_id
     order by contact.id desc limit $1 offset $2`,
    [limit, offset],
  );
  const content = rows.map(({ account_id, created_at, ...row }) => ({
    id: row.id,
    createdDate: zone.toApi(created_at),
    userId: account_id,
    username: row.username,
    name: row.name,
    title: row.title,
    message: row.message,
  }));
  return { content, totalElements: total?.count ?? 0 };
}

export async function sweepContacts(database: Queryable, now: number): Promise<void> {
  await database.query("delete from contact where created_at < $1", [new Date(now - KEPT_MS)]);
}
