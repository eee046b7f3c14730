import type { Queryable } from "../database/database.ts";
import { KEY_KEPT_MS } from "./command-rules.ts";

/** `new`: claimed now; `known`: executed before; `conflict`: the key belongs to another command. */
export type Claim = "new" | "known" | "conflict";

/** Claim a command's key for an account. @param now ms since 1970 UTC */
export async function claimKey(
  database: Queryable,
  command: { readonly accountId: string; readonly key: string; readonly content: string },
  now: number,
): Promise<Claim> {
  const { accountId, key, content } = command;
  const claimed = await database.query(
    `insert into command (account_id, key, content, created_at) values ($1, $2, $3, $4)
     on conflict (account_id, key) do update set content = excluded.content, created_at = excluded.created_at
     where command.created_at < $5 returning key`,
    [accountId, key, content, new Date(now), new Date(now - KEY_KEPT_MS)],
  );
  if (claimed.length > 0) return "new";
  const [row] = await database.query<{ content: string }>(
    "select content from command where account_id = $1 and key = $2",
    [accountId, key],
  );
  return row?.content === content ? "known" : "conflict";
}

/** Release the key of a command that was not sent. */
export async function releaseKey(database: Queryable, accountId: string, key: string): Promise<void> {
  await database.query("delete from command where account_id = $1 and key = $2", [accountId, key]);
}

/** Delete expired keys. */
export async function sweepKeys(database: Queryable, now: number): Promise<void> {
  await database.query("delete from command where created_at < $1", [new Date(now - KEY_KEPT_MS)]);
}
