import { notificationList, notificationRead } from "@mulkko/shared/rest/operations/notifications";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import fp from "fastify-plugin";
import { callerOf } from "../accounts/auth.ts";
import { notFound } from "../http/api-error.ts";
import { routeOf } from "../http/operation-route.ts";
import type { App } from "../http/server.ts";
import { listNotifications, markRead } from "./repository.ts";

const tags = ["notification"];

/** Serve the notifications of an account. */
export const notificationRoutes = fp<{ zone: ApiTimeZone }>(
  async (app: App, { zone }) => {
    app.route({
      ...routeOf(notificationList, {
        tags,
        summary: "The caller's notifications, newest first, at most 100",
      }),
      onRequest: app.authenticate,
      handler: (request) => listNotifications(app.database, zone, callerOf(request).account.id),
    });

    app.route({
      ...routeOf(notificationRead, {
        tags,
        summary: "Mark notifications as read, all or none (extension noti-read)",
      }),
      onRequest: app.authenticate,
      async handler(request, reply) {
        const { id: accountId } = callerOf(request).account;
        const { ids } = request.body;
        const done = await app.database.transaction((tx) => markRead(tx, accountId, ids));
        if (!done) throw notFound("notification");
        // One message is enough for clients to reload the list.
        const [first] = ids;
        if (first !== undefined) app.ingest.outputs.changed(accountId, "notification", first);
        return reply.code(204).send(null);
      },
    });
  },
  { name: "notification", dependencies: ["database", "broker", "auth", "errors"] },
);
