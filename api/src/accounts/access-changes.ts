import {
  type AccessChange,
  type AccessChanges,
  MAX_ACCESS_CHANGES,
} from "@mulkko/shared/rest/access-changes";
import type { Queryable } from "../database/database.ts";

/** Longest time between the start of a transaction, which dates its change, and its commit, ms. */
const COMMITTED_WITHIN_MS = 60_000;

/**
 * Record that tokens of the account may have ended, in the transaction that ends them (AUTH-4). The relay
 * polls these records. A change is always dated after the one before, also where the clock was set back: the relay
 * knows a change by its date.
 *
 * @param now ms since 1970 UTC
 */
export async function noteAccessChange(
  database: Queryable,
  accountId: string,
  entity: AccessChange["entity"],
  now: number,
): Promise<void> {
  await database.query(
    `insert into access_change (account_id, entity, at) values ($1, $2, $3)
     on conflict (account_id, entity) do update
       set at = greatest(access_change.at + interval '1 millisecond', excluded.at)`,
    [accountId, entity, new Date(now)],
  );
}

interface Row {
  account_id: string;
  entity: AccessChange["entity"];
  at: number;
}

/**
 * Return the last change of each kind of each account: those since an answer, or all where the clock was set back after
 * it.
 *
 * @param since time of the caller's last answer, ms since 1970 UTC; null: it has none
 * @param now ms since 1970 UTC
 */
export async function accessChangesSince(
  database: Queryable,
  since: number | null,
  now: number,
): Promise<AccessChanges> {
  const from = since === null || since > now ? null : new Date(since - COMMITTED_WITHIN_MS);
  const rows = await database.query<Row>(
    `select account_id, entity, at from access_change where $1::timestamptz is null or at > $1
     order by at desc limit $2`,
    [from, MAX_ACCESS_CHANGES],
  );
  return {
    at: new Date(now).toISOString(),
    changes: rows.map((row) => ({
      userId: row.account_id,
      entity: row.entity,
      at: new Date(row.at).toISOString(),
    })),
  };
}
