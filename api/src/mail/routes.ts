import { adminOutbox } from "@mulkko/shared/rest/operations/admin";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
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
}

/** Interval between two checks for due mails, ms. */
const EVERY_MS = 30_000;

/** Send mails, and show them to administrators. */
export const mailRoutes = fp<MailOptions>(
  async (app: App, { smtpUrl, from, zone, clock }) => {
    const transport = smtpUrl ? createSmtpTransport(smtpUrl, from) : null;
    const logger = app.log.child({ part: "mail" });
    const mailer = createMailer({ database: app.database, transport, clock, logger });
    const timer = setInterval(() => void mailer.drain(), EVERY_MS);
    timer.unref();
    app.addHook("onClose", async () => {
      clearInterval(timer);
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
