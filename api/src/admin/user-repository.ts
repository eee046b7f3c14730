import type { AdminUser, UserQuery } from "@mulkko/shared/rest/admin-user";
import type { Page } from "@mulkko/shared/rest/paging";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { type AccountRow, profileOf } from "../accounts/repository.ts";
import type { Queryable } from "../database/database.ts";
import { notFound } from "../http/api-error.ts";
import { isPaged, matching, orderBy, searchParameter, sliceOf } from "../http/paging.ts";
import { versionOf } from "../http/version.ts";

/** Most accounts in an unpaged list. */
const MAX_LISTED = 10_000;

interface UserRow extends AccountRow {
  readonly created_at: number;
  readonly device_count: number;
}

const USERS = `
  select account.*, (select count(*) from device where device.account_id = account.id) as device_count
  from account`;
const MATCHES = `
  where deleted_at is null
    and ${matching("$1", ["username", "nickname", "user_address", "farm_address"], ["phone"])}
    and ($2::text is null or user_type = $2)`;
const SORTABLE = {
  username: "lower(username)",
  nickname: "lower(nickname)",
  userType: "user_type",
  userAddress: "lower(user_address)",
  farmAddress: "lower(farm_address)",
  createdDate: "created_at",
  deviceCount: "device_count",
} as const;

/** Return the version of an account's editable fields. */
export const accountVersion = (row: AccountRow): string =>
  versionOf([row.username, row.user_type, row.disabled, profileOf(row)]);

const userOf = (row: UserRow, zone: ApiTimeZone): AdminUser => ({
  id: row.id,
  username: row.username,
  nickname: row.nickname,
  userType: row.user_type,
  userAddress: row.user_address,
  farmAddress: row.farm_address,
  phone: row.phone,
  language: row.language,
  timezone: row.timezone,
  emailNotification: row.email_notification,
  imagePath: row.image_path,
  disabled: row.disabled,
  createdDate: zone.toApi(row.created_at),
  deviceCount: row.device_count,
  version: accountVersion(row),
});

/**
 * Return all accounts of a type by name, or a page of those that match a text. @throws ApiError 422 for an
 * unknown `sort`
 */
export async function listUsers(
  database: Queryable,
  zone: ApiTimeZone,
  query: UserQuery,
): Promise<AdminUser[] | Page<AdminUser>> {
  const filter = [searchParameter(query.q), query.userType ?? null];
  const order = orderBy(query.sort, SORTABLE, "username");
  const { limit, offset } = isPaged(query) ? sliceOf(query) : { limit: MAX_LISTED, offset: 0 };
  const rows = await database.query<UserRow>(`${USERS} ${MATCHES} ${order} limit $3 offset $4`, [
    ...filter,
    limit,
    offset,
  ]);
  const content = rows.map((row) => userOf(row, zone));
  if (!isPaged(query)) return content;
  const [total] = await database.query<{ count: number }>(
    `select count(*) as count from account ${MATCHES}`,
    filter,
  );
  return { content, totalElements: total?.count ?? 0 };
}

/** @throws ApiError 404 */
export async function readUser(database: Queryable, zone: ApiTimeZone, id: string): Promise<AdminUser> {
  const [row] = await database.query<UserRow>(`${USERS} where id = $1 and deleted_at is null`, [id]);
  if (!row) throw notFound("user");
  return userOf(row, zone);
}

/** Count the active administrators and lock them until the end of the transaction. */
export async function lockAdmins(tx: Queryable): Promise<number> {
  const rows = await tx.query(
    "select id from account where user_type = 'ADMIN' and not disabled and deleted_at is null order by id for update",
  );
  return rows.length;
}

export async function setRole(
  tx: Queryable,
  id: string,
  { username, userType, disabled }: { username: string; userType: string; disabled: boolean },
): Promise<void> {
  // Existing accounts whose names differ by case only keep them until they are renamed.
  await tx.query(
    `update account set username = $2, user_type = $3, disabled = $4,
       name_key = case when username = $2 then name_key else lower($2) end where id = $1`,
    [id, username, userType, disabled],
  );
}
