import { adminAudit } from "@mulkko/shared/rest/operations/admin";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import fp from "fastify-plugin";
import { routeOf } from "../http/operation-route.ts";
import type { App } from "../http/server.ts";
import { listAuditEntries } from "./repository.ts";

/** List administrators' actions (extension `audit`). */
export const auditRoutes = fp<{ zone: ApiTimeZone }>(
  async (app: App, { zone }) => {
    app.route({
      ...routeOf(adminAudit, {
        tags: ["admin"],
        summary: "List the actions of administrators, newest first (extension audit)",
      }),
      onRequest: app.authenticateAdminPerson,
      handler: (request) => listAuditEntries(app.database, zone, request.query),
    });
  },
  { name: "audit", dependencies: ["database", "auth", "errors"] },
);
