import { apiPath } from "@mulkko/shared/rest/routes";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import fp from "fastify-plugin";
import type { App } from "../../http/server.ts";
import { callerOf } from "../../plugins/auth.ts";
import { listNotifications } from "./repository.ts";

export const notificationRoutes = fp<{ zone: ApiTimeZone }>(
  async (app: App, { zone }) => {
    app.get(apiPath.notifications, { onRequest: app.authenticate }, (request) =>
      listNotifications(app.database, zone, callerOf(request).account.id),
    );
  },
  { name: "notification", dependencies: ["database", "auth", "errors"] },
);
