import { Account } from "@mulkko/shared/entities/account";
import { type Display, DisplaySettings } from "@mulkko/shared/rest/displays";
import { Nullable } from "@mulkko/shared/schema/nullable";
import { type Static, Type } from "typebox";
import type { Sighting } from "../store/display-store.ts";

/** What of an account a display goes by. */
const DisplayAccount = Type.Pick(Account, ["id", "username", "nickname", "timezone", "userType"]);

/** A display as it is kept. Its token is nowhere: only its SHA-256, null until the screen has fetched it. */
export const DisplayRecord = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  account: DisplayAccount,
  settings: DisplaySettings,
  tokenHash: Nullable(Type.String()),
  /** The account may not be used: its screens show nothing until it may again. */
  suspended: Type.Optional(Type.Boolean()),
  /** ms UTC, store time */
  createdAt: Type.Integer(),
  changedAt: Type.Integer(),
});
export type DisplayRecord = Static<typeof DisplayRecord>;

/** The account as far as a display needs it. */
export const displayAccount = ({
  id,
  username,
  nickname = null,
  timezone = null,
  userType = null,
}: Account): DisplayRecord["account"] => ({ id, username, nickname, timezone, userType });

export const accountIdOf = ({ account }: DisplayRecord): string => String(account.id);

/** The display as people see it, at `now` ms UTC. */
export function displayOf(record: DisplayRecord, sighting: Sighting | undefined, now: number): Display {
  return {
    id: record.id,
    account: record.account.id,
    username: record.account.username,
    settings: record.settings,
    createdAt: new Date(record.createdAt).toISOString(),
    lastSeenAt: sighting === undefined ? null : new Date(sighting.at).toISOString(),
    connected: sighting !== undefined && sighting.until > now,
  };
}
