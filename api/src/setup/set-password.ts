import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { PASSWORD_MIN_LENGTH } from "@mulkko/shared/rules/login";
import { lockFolder } from "@mulkko/shared/server/folder-lock";
import { hashPassword } from "../accounts/passwords.ts";
import { findAccountByName, lockAccount, setPassword } from "../accounts/repository.ts";
import { passwordFault } from "../accounts/rules.ts";
import { revokeAllSessions } from "../accounts/sessions.ts";
import { recordAuditEntry } from "../audit/repository.ts";
import { type Place, pgdataOf } from "../backup/snapshot.ts";
import { migrate } from "../database/migrate.ts";
import { openPglite } from "../database/pglite.ts";
import { openPostgres } from "../database/postgres.ts";

/** The password cannot be set; the message is a sentence for the operator. */
export class SetPasswordError extends Error {
  override readonly name = "SetPasswordError";
}

/** Without similar-looking characters. */
const ALPHABET = "23456789abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ";
const GENERATED_LENGTH = 14;
/** Most administrators listed for an operator who gives no name. */
const MAX_NAMED = 20;

/** Generate a password that is easy to read aloud and hard to guess. */
export const newPassword = (): string =>
  Array.from({ length: GENERATED_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");

/** The account whose password was set. */
export interface PasswordSet {
  readonly username: string;
  readonly disabled: boolean;
}

/**
 * Set the password of an account from outside the API, and end all its sessions and recovery links. One
 * process at a time holds the embedded database, so the API must be stopped there. On PostgreSQL it may
 * continue to run.
 *
 * @param username empty: the error lists the administrators
 * @param now ms since 1970 UTC
 * @throws SetPasswordError, FolderLockedError, DatabaseError
 */
export async function setPasswordAt(
  { url, dataDir }: Place,
  username: string,
  password: string,
  now: number,
): Promise<PasswordSet> {
  const fault = passwordFault(password, PASSWORD_MIN_LENGTH.registration, null);
  if (fault) throw new SetPasswordError(fault);
  if (!url && !existsSync(pgdataOf(dataDir))) {
    throw new SetPasswordError(`There is no farm in ${dataDir}: set DATA_DIR to the folder of the farm.`);
  }
  const lock = url ? null : lockFolder(dataDir);
  try {
    const database = url ? await openPostgres(url) : await openPglite(pgdataOf(dataDir), () => undefined);
    try {
      await migrate(database);
      const found = username === "" ? undefined : await findAccountByName(database, username);
      if (!found) {
        const admins = await database.query<{ username: string }>(
          "select username from account where user_type = 'ADMIN' and deleted_at is null order by username limit $1",
          [MAX_NAMED],
        );
        const names = admins.map((admin) => admin.username).join(", ");
        const missing = username === "" ? "Name the user with --user." : `There is no user ${username}.`;
        throw new SetPasswordError(`${missing} Administrators: ${names === "" ? "none" : names}.`);
      }
      const passwordHash = await hashPassword(password);
      return await database.transaction(async (tx) => {
        const row = await lockAccount(tx, found.id);
        if (!row) throw new SetPasswordError(`The user ${username} no longer exists.`);
        await setPassword(tx, row.id, passwordHash, now);
        await revokeAllSessions(tx, row.id, null, now);
        const actor = { id: null, username: "set-password" };
        const subject = { kind: "user", id: row.id, name: row.username };
        await recordAuditEntry(tx, { actor, action: "user-password", subject }, now);
        return { username: row.username, disabled: row.disabled };
      });
    } finally {
      await database.close();
    }
  } finally {
    lock?.release();
  }
}
