import { Notification } from "@mulkko/shared/entities/notification";
import { NotificationReadBody } from "@mulkko/shared/rest/notification";
import { notificationList } from "@mulkko/shared/rest/operations/notifications";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import fp from "fastify-plugin";
import { Type } from "typebox";
import { callerOf } from "../accounts/auth.ts";
import { notFound } from "../http/api-error.ts";
import type { App } from "../http/server.ts";
import { listNotifications, markRead } from "./repository.ts";

const tags = ["notification"];

/** Serve the notifications of an account. */
export const notificationRoutes = fp<{ zone: ApiTimeZone }>(
  async (app: App, { zone }) => {
    app.route({
      method: "GET",
      url: notificationList.path,
      onRequest: app.authenticate,
      schema: {
        tags,
        summary: "The caller's notifications, newest first, at most 100",
        response: { 200: Type.Array(Notification) },
      },
      handler: (request) => listNotifications(app.database, zone, callerOf(request).account.id),
    });

    app.route({
      method: "POST",
      url: "/api/v1/noti/read",
      onRequest: app.authenticate,
      schema: {
        tags,
        summary: "Mark notifications as read, all or none (extension noti-read)",
        body: NotificationReadBody,
        response: { 204: Type.Null() },
      },
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
