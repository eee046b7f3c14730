import { adminOutbox } from "@mulkko/shared/rest/operations/admin";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { repeat } from "@mulkko/shared/server/node-timers";
import fp from "fastify-plugin";
import { routeOf } from "../http/operation-route.ts";
import { sliceOf } from "../http/paging.ts";
import type { App } from "../http/server.ts";
import { createMailer, type Mailer } from "./mailer.ts";
import { listOutbox } from "./outbox.ts";
import { createSmtpTransport } from "./transport.ts";

declare module "fastify" {
  interface FastifyInstance {
    mailer: Mailer;
  }
}

export interface MailOptions {
  /** URL of the mail server; undefined: mails are only stored. */
  readonly smtpUrl: string | undefined;
  readonly from: string;
  readonly zone: ApiTimeZone;
  readonly clock: Clock;
  readonly timers: Timers;
}

/** Interval between two checks for due mails, ms. */
const EVERY_MS = 30_000;

/** Send mails, and show them to administrators. */
export const mailRoutes = fp<MailOptions>(
  async (app: App, { smtpUrl, from, zone, clock, timers }) => {
    const transport = smtpUrl ? createSmtpTransport(smtpUrl, from) : null;
    const logger = app.log.child({ part: "mail" });
    const mailer = createMailer({ database: app.database, transport, clock, logger });
    const regularly = repeat(timers, EVERY_MS, () => void mailer.drain());
    app.addHook("onClose", async () => {
      regularly.cancel();
      await mailer.drain();
      transport?.close();
    });
    app.decorate("mailer", mailer);

    app.route({
      ...routeOf(adminOutbox, {
        tags: ["admin"],
        summary: "Mails, newest first; without a mail server this is where they are read",
      }),
      onRequest: app.authenticateAdminPerson,
      handler: (request) => listOutbox(app.database, zone, sliceOf(request.query)),
    });
  },
  { name: "mail", dependencies: ["database", "auth", "errors"] },
);
