import { ContactBody } from "@mulkko/shared/rest/account";
import { ContactEntry } from "@mulkko/shared/rest/admin";
import { PageOf, PageQuery } from "@mulkko/shared/rest/paging";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
import { createRateLimit } from "@mulkko/shared/rules/rate-limit";
import fp from "fastify-plugin";
import { Type } from "typebox";
import { callerOf } from "../accounts/auth.ts";
import { ApiError } from "../http/api-error.ts";
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
      method: "POST",
      url: "/api/account/contact",
      onRequest: app.authenticate,
      schema: {
        tags: ["account"],
        summary: "Write to the administrators",
        body: ContactBody,
        response: { 204: Type.Null() },
      },
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
      method: "GET",
      url: "/api/v1/admin/contacts",
      onRequest: app.authenticateAdminPerson,
      schema: {
        tags: ["admin"],
        summary: "Messages of the contact form, newest first (extension audit)",
        querystring: PageQuery,
        response: { 200: PageOf(ContactEntry) },
      },
      handler: (request) => listContacts(app.database, zone, sliceOf(request.query)),
    });
  },
  { name: "contact", dependencies: ["database", "auth", "errors"] },
);
