import { type Static, Type } from "typebox";
import { Id } from "../schema/id.ts";
import { Nullable } from "../schema/nullable.ts";

/** An account with valves, as the relay watches it (WATCH-1). */
export const ValveAccount = Type.Object({
  userId: Id,
  /** Controllers and COT sensors. */
  devices: Type.Integer({ minimum: 1 }),
  /** A disabled account is named, but the API gives the relay no session for it. */
  disabled: Type.Boolean(),
});
export type ValveAccount = Static<typeof ValveAccount>;

/** Most accounts in one answer. */
export const VALVE_ACCOUNTS_A_PAGE = 500;

/**
 * Answer of `GET /api/v1/relay/accounts?after=` (extension `relay-accounts`): the accounts with valves, by
 * their ids, from the one behind `after` on. Deleted accounts are left out.
 */
export const ValveAccounts = Type.Object({
  accounts: Type.Array(ValveAccount, { maxItems: VALVE_ACCOUNTS_A_PAGE }),
  /** `after` of the next page; null: this is the last one. */
  next: Nullable(Type.String({ maxLength: 64 })),
});
export type ValveAccounts = Static<typeof ValveAccounts>;

export const ValveAccountsQuery = Type.Object({
  after: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
});
