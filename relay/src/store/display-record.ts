import { Account } from "@mulkko/shared/entities/account";
import { type Display, DisplaySettings } from "@mulkko/shared/rest/displays";
import { Nullable } from "@mulkko/shared/schema/nullable";
import { type Static, Type } from "typebox";
import type { DisplayLastSeen } from "./display-store.ts";

/** The fields of an account that a display uses. */
const DisplayAccount = Type.Pick(Account, ["id", "username", "nickname", "timezone", "userType"]);

/** A stored display. Its token is not stored: only its SHA-256, null until the screen has fetched it. */
export const DisplayRecord = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  account: DisplayAccount,
  settings: DisplaySettings,
  tokenHash: Nullable(Type.String()),
  /** True while the account is suspended: its screens show nothing. */
  suspended: Type.Optional(Type.Boolean()),
  /** ms UTC, store time */
  createdAt: Type.Integer(),
  changedAt: Type.Integer(),
});
export type DisplayRecord = Static<typeof DisplayRecord>;

/** Return the part of the account that a display needs. */
export const displayAccount = ({
  id,
  username,
  nickname = null,
  timezone = null,
  userType = null,
}: Account): DisplayRecord["account"] => ({ id, username, nickname, timezone, userType });

export const accountIdOf = ({ account }: DisplayRecord): string => String(account.id);

/** Return the display as users see it, at `now` ms UTC. */
export function displayOf(
  record: DisplayRecord,
  lastSeen: DisplayLastSeen | undefined,
  now: number,
): Display {
  return {
    id: record.id,
    account: record.account.id,
    username: record.account.username,
    settings: record.settings,
    createdAt: new Date(record.createdAt).toISOString(),
    lastSeenAt: lastSeen === undefined ? null : new Date(lastSeen.at).toISOString(),
    connected: lastSeen !== undefined && lastSeen.until > now,
  };
}
