import type { SignInEntry, SignInQuery } from "@mulkko/shared/rest/admin";
import { adminSignIns } from "@mulkko/shared/rest/operations/admin";
import type { Page } from "@mulkko/shared/rest/paging";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { addressGroup } from "@mulkko/shared/server/address-group";
import fp from "fastify-plugin";
import type { Queryable } from "../database/database.ts";
import { routeOf } from "../http/operation-route.ts";
import { matching, searchParameter, sliceOf } from "../http/paging.ts";
import type { App } from "../http/server.ts";
import type { AccountRow } from "./repository.ts";
import { MAX_USER_AGENT } from "./sessions.ts";

/** Limits of stored sign-ins by age and number. */
const KEPT_MS = 365 * 86_400_000;
const MAX_KEPT = 100_000;
/** Failures of one address and account within this time are merged into one entry with a count, ms. */
const MERGED_MS = 10 * 60_000;

/** A sign-in attempt. */
export interface SignIn {
  /** Undefined for an unknown name. */
  readonly account: Pick<AccountRow, "id" | "username"> | undefined;
  readonly outcome: SignInEntry["outcome"];
  /** The client's network address. */
  readonly address: string;
  readonly userAgent: string;
}

/** Record a sign-in attempt. @param now ms since 1970 UTC */
export async function recordSignIn(database: Queryable, signIn: SignIn, now: number): Promise<void> {
  const { account, outcome, address, userAgent } = signIn;
  const id = account?.id ?? null;
  if (outcome !== "signed-in") {
    const merged = await database.query(
      `update sign_in set attempts = attempts + 1 where id =
         (select id from sign_in where created_at > $1 and account_id is not distinct from $2::uuid
            and address = $3 and outcome = $4 order by id desc limit 1) returning id`,
      [new Date(now - MERGED_MS), id, address, outcome],
    );
    if (merged.length > 0) return;
  }
  await database.query(
    `insert into sign_in (account_id, username, outcome, address, user_agent, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [id, account?.username ?? "", outcome, address, userAgent.slice(0, MAX_USER_AGENT), new Date(now)],
  );
}

/** Most sign-ins of an account that are searched for an address. */
const RECENT_SIGN_INS = 100;

/** Return true where the account has signed in from the network of an address before. */
export async function hasSignedInFrom(
  database: Queryable,
  username: string,
  address: string,
): Promise<boolean> {
  const rows = await database.query<{ address: string }>(
    `select distinct address from
       (select s.address from sign_in s join account a on a.id = s.account_id
        where (a.username = $1 or a.name_key = lower($1)) and a.deleted_at is null and s.outcome = 'signed-in'
        order by s.id desc limit $2) as recent`,
    [username, RECENT_SIGN_INS],
  );
  return rows.some((row) => addressGroup(row.address) === addressGroup(address));
}

interface SignInRow {
  id: number;
  account_id: string | null;
  username: string;
  outcome: SignInEntry["outcome"];
  attempts: number;
  address: string;
  user_agent: string;
  created_at: number;
}

const MATCHES = `
  where ${matching("$1", ["username", "address"])}
    and ($2::text is null or outcome = $2)
    and ($3::timestamptz is null or created_at >= $3) and ($4::timestamptz is null or created_at < $4)`;

/** Return a page of sign-in attempts, newest first. */
export async function listSignIns(
  database: Queryable,
  zone: ApiTimeZone,
  query: SignInQuery,
): Promise<Page<SignInEntry>> {
  const { limit, offset } = sliceOf(query);
  const { q, outcome = null, from = null, to = null } = query;
  const filter = [searchParameter(q), outcome, from, to];
  const [total] = await database.query<{ count: number }>(
    `select count(*) as count from sign_in ${MATCHES}`,
    filter,
  );
  const rows = await database.query<SignInRow>(
    `select * from sign_in ${MATCHES} order by id desc limit $5 offset $6`,
    [...filter, limit, offset],
  );
  const content = rows.map((row) => ({
    id: row.id,
    createdDate: zone.toApi(row.created_at),
    userId: row.account_id,
    username: row.username,
    outcome: row.outcome,
    attempts: row.attempts,
    address: row.address,
    userAgent: row.user_agent,
  }));
  return { content, totalElements: total?.count ?? 0 };
}

/** Delete sign-ins over the limits. @param most entries that stay */
export async function sweepSignIns(database: Queryable, now: number, most = MAX_KEPT): Promise<void> {
  await database.query("delete from sign_in where created_at < $1", [new Date(now - KEPT_MS)]);
  await database.query(
    "delete from sign_in where id <= (select id from sign_in order by id desc limit 1 offset $1)",
    [most],
  );
}

/** List sign-in attempts of every account (extension `sign-ins`). */
export const signInRoutes = fp<{ zone: ApiTimeZone }>(
  async (app: App, { zone }) => {
    app.route({
      ...routeOf(adminSignIns, {
        tags: ["admin"],
        summary: "Attempts to sign in, right and wrong, newest first (extension sign-ins)",
      }),
      onRequest: app.authenticateAdminPerson,
      handler: (request) => listSignIns(app.database, zone, request.query),
    });
  },
  { name: "sign-ins", dependencies: ["database", "auth", "errors"] },
);
