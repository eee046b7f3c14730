import { AuditEntry, AuditQuery } from "@mulkko/shared/rest/admin";
import { PageOf } from "@mulkko/shared/rest/paging";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import fp from "fastify-plugin";
import type { App } from "../http/server.ts";
import { listAuditEntries } from "./repository.ts";

/** List administrators' actions (extension `audit`). */
export const auditRoutes = fp<{ zone: ApiTimeZone }>(
  async (app: App, { zone }) => {
    app.route({
      method: "GET",
      url: "/api/v1/admin/audit",
      onRequest: app.authenticateAdminPerson,
      schema: {
        tags: ["admin"],
        summary: "List the actions of administrators, newest first (extension audit)",
        querystring: AuditQuery,
        response: { 200: PageOf(AuditEntry) },
      },
      handler: (request) => listAuditEntries(app.database, zone, request.query),
    });
  },
  { name: "audit", dependencies: ["database", "auth", "errors"] },
);
