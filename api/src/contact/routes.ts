import { contactSend } from "@mulkko/shared/rest/operations/account";
import { adminContacts } from "@mulkko/shared/rest/operations/admin";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
import { createRateLimit } from "@mulkko/shared/rules/rate-limit";
import fp from "fastify-plugin";
import { callerOf } from "../accounts/auth.ts";
import { ApiError } from "../http/api-error.ts";
import { routeOf } from "../http/operation-route.ts";
import { sliceOf } from "../http/paging.ts";
import { requiredText } from "../http/params.ts";
import type { App } from "../http/server.ts";
import { insertContact, listContacts } from "./repository.ts";

const WINDOW_MS = 3_600_000;
const MESSAGES_PER_ACCOUNT = 20;

/** Messages to the operator of the farm API: farmers write them, administrators read them. */
export const contactRoutes = fp<{ zone: ApiTimeZone; clock: Clock }>(
  async (app: App, { zone, clock }) => {
    const counter = createRateLimit(clock, WINDOW_MS);

    app.route({
      ...routeOf(contactSend, { tags: ["account"], summary: "Write to the administrators" }),
      onRequest: app.authenticate,
      async handler(request, reply) {
        const { id } = callerOf(request).account;
        const { name, title = "", message = "" } = request.body;
        const entry = { name: requiredText(name, "name"), title, message };
        const retryAfter = counter.refuses(id, MESSAGES_PER_ACCOUNT);
        if (retryAfter !== null) {
          throw new ApiError(429, "too-many-requests", "too many messages within an hour", { retryAfter });
        }
        await insertContact(app.database, id, entry, clock.now());
        return reply.code(204).send(null);
      },
    });

    app.route({
      ...routeOf(adminContacts, {
        tags: ["admin"],
        summary: "Messages of the contact form, newest first (extension audit)",
      }),
      onRequest: app.authenticateAdminPerson,
      handler: (request) => listContacts(app.database, zone, sliceOf(request.query)),
    });
  },
  { name: "contact", dependencies: ["database", "auth", "errors"] },
);
