import { SessionEntry } from "@mulkko/shared/rest/account";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { Type } from "typebox";
import { notFound } from "../http/api-error.ts";
import { uuidOf } from "../http/params.ts";
import type { App } from "../http/server.ts";
import { callerOf } from "./auth.ts";
import { endSession, listSessions } from "./session-repository.ts";

const tags = ["account"];

/** List the caller's sessions, and end one (extension `sessions`). */
export const sessionRoutes = fp<{ zone: ApiTimeZone; clock: Clock }>(
  async (app: App, { zone, clock }) => {
    const { database } = app;

    app.route({
      method: "GET",
      url: "/api/v1/session",
      onRequest: app.authenticate,
      schema: {
        tags,
        summary: "The caller's sessions (extension sessions)",
        response: { 200: Type.Array(SessionEntry) },
      },
      handler(request) {
        const { account, sessionId } = callerOf(request);
        return listSessions(database, zone, account.id, sessionId, clock.now());
      },
    });

    app.route({
      method: "DELETE",
      url: "/api/v1/session/:id",
      onRequest: app.authenticate,
      schema: {
        tags,
        summary: "End a session of the caller, at once (extension sessions)",
        params: Type.Object({ id: Type.String() }),
        response: { 204: Type.Null() },
      },
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
