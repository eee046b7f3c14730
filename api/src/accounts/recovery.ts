import { randomBytes } from "node:crypto";
import type { Database, Queryable } from "../database/database.ts";
import type { Mailer } from "../mail/mailer.ts";
import { recoveryMail } from "../mail/recovery-mail.ts";
import { hashSecret } from "./key.ts";
import type { AccountRow } from "./repository.ts";
import { lockAccount, setPassword } from "./repository.ts";
import { revokeAllSessions } from "./sessions.ts";

const TOKEN_BYTES = 32;
const TOKEN_MS = 30 * 60_000;
/** Valid links of one account; a new one invalidates the oldest. */
const MAX_TOKENS = 3;
/** Most accounts mailed per address. */
const MAX_ACCOUNTS = 5;

/**
 * Mail a link for a new password to every account with this e-mail address.
 *
 * @param publicUrl URL of the web client
 * @param now ms since 1970 UTC
 */
export async function beginRecovery(
  parts: { readonly database: Database; readonly mailer: Mailer; readonly publicUrl: string },
  email: string,
  now: number,
): Promise<void> {
  const { database, mailer, publicUrl } = parts;
  await database.transaction(async (tx) => {
    const accounts = await tx.query<AccountRow>(
      "select * from account where lower(user_address) = lower($1) and not disabled and deleted_at is null order by username limit $2",
      [email, MAX_ACCOUNTS],
    );
    for (const account of accounts) {
      const token = await addToken(tx, account.id, now);
      const link = `${publicUrl.replace(/\/+$/, "")}/recover?token=${token}`;
      await mailer.post(tx, account.id, recoveryMail(account, account.user_address, link));
    }
  });
  await mailer.drain();
}

async function addToken(tx: Queryable, accountId: string, now: number): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  await tx.query("insert into recovery (hash, account_id, expires_at) values ($1, $2, $3)", [
    hashSecret(token),
    accountId,
    new Date(now + TOKEN_MS),
  ]);
  await tx.query(
    `delete from recovery where account_id = $1 and hash not in
       (select hash from recovery where account_id = $1 order by expires_at desc limit $2)`,
    [accountId, MAX_TOKENS],
  );
  return token;
}

/**
 * Set a password with a token, once, and end every session and every other link of the account.
 *
 * @returns the account; null where the token is unknown, used or expired
 */
export async function finishRecovery(
  database: Database,
  token: string,
  passwordHash: string,
  now: number,
): Promise<string | null> {
  return database.transaction(async (tx) => {
    const [found] = await tx.query<{ account_id: string }>(
      "delete from recovery where hash = $1 and expires_at > $2 returning account_id",
      [hashSecret(token), new Date(now)],
    );
    const account = found ? await lockAccount(tx, found.account_id) : undefined;
    if (!account || account.disabled) return null;
    await setPassword(tx, account.id, passwordHash, now);
    await revokeAllSessions(tx, account.id, null, now);
    return account.id;
  });
}

export async function sweepRecovery(database: Queryable, now: number): Promise<void> {
  await database.query("delete from recovery where expires_at < $1", [new Date(now)]);
}
