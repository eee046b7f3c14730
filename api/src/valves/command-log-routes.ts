import { CommandEntry, CommandLogQuery } from "@mulkko/shared/rest/admin";
import { PageOf } from "@mulkko/shared/rest/paging";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import fp from "fastify-plugin";
import type { App } from "../http/server.ts";
import { listCommands } from "./command-log.ts";

/** List the commands of every account (extension `audit`). */
export const commandLogRoutes = fp<{ zone: ApiTimeZone }>(
  async (app: App, { zone }) => {
    app.route({
      method: "GET",
      url: "/api/v1/admin/commands",
      onRequest: app.authenticateAdminPerson,
      schema: {
        tags: ["admin"],
        summary: "Commands of all accounts with their outcome, newest first (extension audit)",
        querystring: CommandLogQuery,
        response: { 200: PageOf(CommandEntry) },
      },
      handler: (request) => listCommands(app.database, zone, request.query),
    });
  },
  { name: "command-log", dependencies: ["database", "auth", "errors"] },
);
