import { type Static, Type } from "typebox";
import { Id } from "../schema/id.ts";
import { Instant } from "../schema/instant.ts";

/**
 * `account`: a session of the account ended, or the account was changed, suspended or deleted; its tokens
 * must be proven again. `password`: the password changed, and sessions opened with the old one end.
 */
export const AccessChange = Type.Object({
  userId: Id,
  entity: Type.Union([Type.Literal("account"), Type.Literal("password")]),
  at: Instant,
});
export type AccessChange = Static<typeof AccessChange>;

/** Maximum of changes in one answer, the newest ones. */
export const MAX_ACCESS_CHANGES = 20_000;

/**
 * Answer of `GET /api/v1/relay/access?since=` (extension `relay-access`): the last change of each kind of
 * each account since then. Changes of the minute before are repeated. Without `since`, the last change of
 * every account.
 */
export const AccessChanges = Type.Object({
  /** The API's time of this answer: `since` of the next request. */
  at: Instant,
  changes: Type.Array(AccessChange, { maxItems: MAX_ACCESS_CHANGES }),
});
export type AccessChanges = Static<typeof AccessChanges>;

export const AccessQuery = Type.Object({ since: Type.Optional(Instant) });
