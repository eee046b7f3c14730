import { SignInEntry, SignInQuery } from "@mulkko/shared/rest/admin";
import { PageOf } from "@mulkko/shared/rest/paging";
import { apiPath } from "@mulkko/shared/rest/routes";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import fp from "fastify-plugin";
import type { App } from "../http/server.ts";
import { listSignIns } from "./sign-ins.ts";

/** List sign-in attempts of every account (extension `sign-ins`). */
export const signInRoutes = fp<{ zone: ApiTimeZone }>(
  async (app: App, { zone }) => {
    app.route({
      method: "GET",
      url: apiPath.adminSignIns,
      onRequest: app.authenticateAdminPerson,
      schema: {
        tags: ["admin"],
        summary: "Attempts to sign in, right and wrong, newest first (extension sign-ins)",
        querystring: SignInQuery,
        response: { 200: PageOf(SignInEntry) },
      },
      handler: (request) => listSignIns(app.database, zone, request.query),
    });
  },
  { name: "sign-ins", dependencies: ["database", "auth", "errors"] },
);
