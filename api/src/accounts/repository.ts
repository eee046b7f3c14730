import type { Account, UserType } from "@mulkko/shared/entities/account";
import type { Queryable } from "../database/database.ts";
import { versionOf } from "../http/version.ts";
import { noteAccessChange } from "./access-changes.ts";
import type { Profile } from "./profile.ts";

/** A stored account. */
export interface AccountRow {
  readonly id: string;
  readonly username: string;
  readonly password_hash: string;
  readonly nickname: string;
  readonly user_address: string;
  readonly farm_address: string;
  readonly phone: string;
  readonly timezone: string;
  readonly language: string;
  readonly email_notification: boolean;
  readonly image_path: string | null;
  readonly user_type: UserType;
  readonly disabled: boolean;
}

/** Return the account in the API's format. */
export function accountOf(row: AccountRow): Account {
  return {
    id: row.id,
    username: row.username,
    nickname: row.nickname,
    userAddress: row.user_address,
    farmAddress: row.farm_address,
    phone: row.phone,
    timezone: row.timezone,
    imagePath: row.image_path,
    userType: row.user_type,
    language: row.language,
    emailNotification: row.email_notification,
    version: profileVersion(row),
  };
}

/** Return the part of an account that its user may change. */
export const profileOf = (row: AccountRow): Profile => ({
  nickname: row.nickname,
  userAddress: row.user_address,
  farmAddress: row.farm_address,
  phone: row.phone,
  timezone: row.timezone,
  language: row.language,
  emailNotification: row.email_notification,
});

/** Return the version of the fields that the user of an account may change. */
export const profileVersion = (row: AccountRow): string => versionOf(profileOf(row));

/** @returns the account after the change; undefined where it does not exist */
export async function updateProfile(
  database: Queryable,
  id: string,
  profile: Profile,
): Promise<AccountRow | undefined> {
  const { nickname, userAddress, farmAddress, phone, timezone, language, emailNotification } = profile;
  const [row] = await database.query<AccountRow>(
    `update account set nickname = $2, user_address = $3, farm_address = $4, phone = $5, timezone = $6,
       language = $7, email_notification = $8 where id = $1 returning *`,
    [id, nickname, userAddress, farmAddress, phone, timezone, language, emailNotification],
  );
  return row;
}

/** Store the hash of a new password. @param now ms since 1970 UTC */
export async function setPassword(
  database: Queryable,
  id: string,
  passwordHash: string,
  now: number,
): Promise<void> {
  await database.query("update account set password_hash = $2 where id = $1", [id, passwordHash]);
  // Unused links for a new password would undo this one.
  await database.query("delete from recovery where account_id = $1", [id]);
  await noteAccessChange(database, id, "password", now);
}

/** Find the account of exactly this name, otherwise one that differs by case only. */
export async function findAccountByName(
  database: Queryable,
  username: string,
): Promise<AccountRow | undefined> {
  const [row] = await database.query<AccountRow>(
    `select * from account where (username = $1 or name_key = lower($1)) and deleted_at is null
     order by username = $1 desc limit 1`,
    [username],
  );
  return row;
}

export async function findAccount(database: Queryable, id: string): Promise<AccountRow | undefined> {
  const [row] = await database.query<AccountRow>(
    "select * from account where id = $1 and deleted_at is null",
    [id],
  );
  return row;
}

/** Read an account and lock it until the end of the transaction. */
export async function lockAccount(tx: Queryable, id: string): Promise<AccountRow | undefined> {
  const [row] = await tx.query<AccountRow>(
    "select * from account where id = $1 and deleted_at is null for update",
    [id],
  );
  return row;
}

/** Return the account of a live session; undefined where the session was revoked. */
export async function findAccountOfSession(
  database: Queryable,
  accountId: string,
  sessionId: string,
): Promise<AccountRow | undefined> {
  const [row] = await database.query<AccountRow>(
    `select account.* from account join session on session.account_id = account.id
     where account.id = $1 and session.id = $2 and session.revoked_at is null and account.deleted_at is null`,
    [accountId, sessionId],
  );
  return row;
}

export async function hasAccounts(database: Queryable): Promise<boolean> {
  const rows = await database.query("select 1 from account limit 1");
  return rows.length > 0;
}

/** Return true if the installation has no other account; deleted ones do not count. */
export async function isOnlyAccount(database: Queryable, id: string): Promise<boolean> {
  const others = await database.query("select 1 from account where id <> $1 and deleted_at is null limit 1", [
    id,
  ]);
  return others.length === 0;
}

/** Fields of a new account. */
export interface NewAccount {
  readonly id: string;
  readonly username: string;
  readonly passwordHash: string;
  readonly nickname: string;
  readonly userType: UserType;
  readonly userAddress?: string;
  readonly farmAddress?: string;
  readonly phone?: string;
  readonly timezone?: string;
  readonly language?: string;
}

/** @param now ms since 1970 UTC */
export async function insertAccount(database: Queryable, account: NewAccount, now: number): Promise<void> {
  await database.query(
    `insert into account (id, username, name_key, password_hash, nickname, user_type, user_address, farm_address, phone,
       timezone, language, created_at)
     values ($1, $2, lower($2), $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      account.id,
      account.username,
      account.passwordHash,
      account.nickname,
      account.userType,
      account.userAddress ?? "",
      account.farmAddress ?? "",
      account.phone ?? "",
      account.timezone ?? "Asia/Seoul",
      account.language ?? "KO",
      new Date(now),
    ],
  );
}
