import { randomUUID } from "node:crypto";
import type { Database, Queryable } from "../database/database.ts";
import { noteAccessChange } from "./access-changes.ts";
import { hashSecret } from "./key.ts";
import { decideRefresh, REFRESH_TOKEN_MS } from "./rules.ts";
import type { Tokens } from "./tokens.ts";

export interface Pair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Most live sessions per account; a new one ends the oldest. */
export const MAX_SESSIONS = 200;

interface FoundRow {
  session_id: string;
  account_id: string;
  generation: number;
  expires_at: number;
  rotated_at: number | null;
  session_generation: number;
  revoked: boolean;
  disabled: boolean;
}

const addToken = (
  tx: Queryable,
  token: string,
  sessionId: string,
  generation: number,
  now: number,
): Promise<object[]> =>
  tx.query("insert into refresh_token (hash, session_id, generation, expires_at) values ($1, $2, $3, $4)", [
    hashSecret(token),
    sessionId,
    generation,
    new Date(now + REFRESH_TOKEN_MS),
  ]);

/** Longest stored browser name, characters. */
export const MAX_USER_AGENT = 300;

/** Begin a session. @param userAgent name that the device reports @param now ms since 1970 UTC */
export async function beginSession(
  database: Database,
  tokens: Tokens,
  accountId: string,
  userAgent: string,
  now: number,
): Promise<Pair> {
  const sessionId = randomUUID();
  const refreshToken = tokens.firstRefresh();
  await database.transaction(async (tx) => {
    await tx.query(
      "insert into session (id, account_id, user_agent, created_at, used_at) values ($1, $2, $3, $4, $4)",
      [sessionId, accountId, userAgent.slice(0, MAX_USER_AGENT), new Date(now)],
    );
    await addToken(tx, refreshToken, sessionId, 0, now);
    const outnumbered = await tx.query(
      `delete from session where account_id = $1 and id not in
         (select id from session where account_id = $1 order by created_at desc, id limit $2) returning id`,
      [accountId, MAX_SESSIONS],
    );
    if (outnumbered.length > 0) await noteAccessChange(tx, accountId, "account", now);
  });
  return { accessToken: await tokens.access(accountId, sessionId, now), refreshToken };
}

const FIND = `
  select token.session_id, session.account_id, token.generation, token.expires_at, token.rotated_at,
    session.generation as session_generation, session.revoked_at is not null as revoked, account.disabled
  from refresh_token token
  join session on session.id = token.session_id join account on account.id = session.account_id
  where token.hash = $1 for update of session`;

/**
 * Exchange a refresh token.
 *
 * @param now ms since 1970 UTC
 * @returns null where it is refused, `ended` where that is because its session was ended
 */
export async function refreshSession(
  database: Database,
  tokens: Tokens,
  token: string,
  now: number,
): Promise<Pair | "ended" | null> {
  const hash = hashSecret(token);
  const exchanged = await database.transaction(async (tx) => {
    const [found] = await tx.query<FoundRow>(FIND, [hash]);
    if (!found) return null;
    const decision = decideRefresh(
      {
        generation: found.generation,
        expiresAt: found.expires_at,
        rotatedAt: found.rotated_at,
        sessionGeneration: found.session_generation,
        sessionRevoked: found.revoked,
        accountDisabled: found.disabled,
      },
      now,
    );
    switch (decision.kind) {
      case "refuse":
        return found.revoked ? "ended" : null;
      case "revoke":
        await revokeSession(tx, found.session_id, now);
        return null;
      case "repeat":
        return { found, at: decision.rotatedAt };
      case "rotate": {
        const generation = found.generation + 1;
        await tx.query("update refresh_token set rotated_at = $2 where hash = $1", [hash, new Date(now)]);
        await tx.query("update session set generation = $2, used_at = $3 where id = $1", [
          found.session_id,
          generation,
          new Date(now),
        ]);
        await addToken(tx, tokens.nextRefresh(token), found.session_id, generation, now);
        return { found, at: now };
      }
    }
  });
  if (exchanged === null || exchanged === "ended") return exchanged;
  const { found, at } = exchanged;
  return {
    accessToken: await tokens.access(found.account_id, found.session_id, at),
    refreshToken: tokens.nextRefresh(token),
  };
}

/** End a session: its access tokens and all its refresh tokens. @param database a transaction */
export async function revokeSession(database: Queryable, sessionId: string, now: number): Promise<void> {
  const [ended] = await database.query<{ account_id: string }>(
    "update session set revoked_at = $2 where id = $1 and revoked_at is null returning account_id",
    [sessionId, new Date(now)],
  );
  if (ended) await noteAccessChange(database, ended.account_id, "account", now);
}

/** End all sessions of an account but one. */
export async function revokeAllSessions(
  database: Queryable,
  accountId: string,
  exceptId: string | null,
  now: number,
): Promise<void> {
  await database.query(
    `update session set revoked_at = $3
     where account_id = $1 and revoked_at is null and ($2::uuid is null or id <> $2)`,
    [accountId, exceptId, new Date(now)],
  );
  await noteAccessChange(database, accountId, "account", now);
}

/** Delete expired tokens and sessions. */
export async function sweepSessions(database: Queryable, now: number): Promise<void> {
  await database.query("delete from refresh_token where expires_at < $1", [new Date(now)]);
  await database.query(
    "delete from session where not exists (select 1 from refresh_token where session_id = session.id)",
  );
}
