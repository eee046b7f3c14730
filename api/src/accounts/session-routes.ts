import type { SessionEntry } from "@mulkko/shared/rest/account";
import { sessionEnd, sessionList } from "@mulkko/shared/rest/operations/account";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import type { Queryable } from "../database/database.ts";
import { notFound } from "../http/api-error.ts";
import { routeOf } from "../http/operation-route.ts";
import { uuidOf } from "../http/params.ts";
import type { App } from "../http/server.ts";
import { noteAccessChange } from "./access-changes.ts";
import { callerOf } from "./auth.ts";
import { MAX_SESSIONS } from "./sessions.ts";

interface SessionRow {
  id: string;
  user_agent: string;
  created_at: number;
  used_at: number | null;
}

/** List the live sessions of an account, last used first. @param now ms since 1970 UTC */
async function listSessions(
  database: Queryable,
  zone: ApiTimeZone,
  accountId: string,
  currentId: string | null,
  now: number,
): Promise<SessionEntry[]> {
  const rows = await database.query<SessionRow>(
    `select id, user_agent, created_at, used_at from session
     where account_id = $1 and revoked_at is null and exists
       (select 1 from refresh_token where session_id = session.id and expires_at > $2)
     order by coalesce(used_at, created_at) desc, id limit $3`,
    [accountId, new Date(now), MAX_SESSIONS],
  );
  return rows.map((row) => ({
    id: row.id,
    createdDate: zone.toApi(row.created_at),
    usedDate: zone.toApi(row.used_at ?? row.created_at),
    userAgent: row.user_agent,
    current: row.id === currentId,
  }));
}

/** @returns false where the account has no such live session */
async function endSession(database: Queryable, accountId: string, id: string, now: number): Promise<boolean> {
  const rows = await database.query(
    `update session set revoked_at = $3 where id = $1 and account_id = $2 and revoked_at is null returning id`,
    [id, accountId, new Date(now)],
  );
  if (rows.length === 0) return false;
  await noteAccessChange(database, accountId, "account", now);
  return true;
}

const tags = ["account"];

/** List the caller's sessions, and end one (extension `sessions`). */
export const sessionRoutes = fp<{ zone: ApiTimeZone; clock: Clock }>(
  async (app: App, { zone, clock }) => {
    const { database } = app;

    app.route({
      ...routeOf(sessionList, { tags, summary: "The caller's sessions (extension sessions)" }),
      onRequest: app.authenticate,
      handler(request) {
        const { account, sessionId } = callerOf(request);
        return listSessions(database, zone, account.id, sessionId, clock.now());
      },
    });

    app.route({
      ...routeOf(sessionEnd, { tags, summary: "End a session of the caller, at once (extension sessions)" }),
      onRequest: app.authenticate,
      async handler(request, reply) {
        const id = uuidOf(request.params.id, "session");
        const { account } = callerOf(request);
        const ended = await database.transaction((tx) => endSession(tx, account.id, id, clock.now()));
        if (!ended) throw notFound("session");
        return reply.code(204).send(null);
      },
    });
  },
  { name: "session", dependencies: ["database", "auth", "errors"] },
);
