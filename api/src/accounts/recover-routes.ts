import { recoverBegin, recoverConfirm } from "@mulkko/shared/rest/operations/account";
import type { Clock } from "@mulkko/shared/rules/clock";
import { isEmail } from "@mulkko/shared/rules/email";
import { PASSWORD_MIN_LENGTH } from "@mulkko/shared/rules/login";
import { createRateLimit } from "@mulkko/shared/rules/rate-limit";
import { addressGroup } from "@mulkko/shared/server/address-group";
import fp from "fastify-plugin";
import { ApiError, FieldsError } from "../http/api-error.ts";
import { routeOf } from "../http/operation-route.ts";
import type { App } from "../http/server.ts";
import { hashPassword } from "./passwords.ts";
import { beginRecovery, finishRecovery } from "./recovery.ts";
import { passwordFault } from "./rules.ts";

const WINDOW_MS = 10 * 60_000;
const ASKED_PER_HOME = 20;
const ASKED_PER_EMAIL = 3;
const CONFIRMED_PER_HOME = 30;
/** Most requests processed after their answer. */
const MAX_PENDING = 100;

const tags = ["account"];

export interface RecoverOptions {
  readonly clock: Clock;
  readonly publicUrl: string;
  /** A publicly known password; null in the demo. */
  readonly refusedPassword: string | null;
}

/** Reset a lost password by a mailed link. */
export const recoverRoutes = fp<RecoverOptions>(
  async (app: App, { clock, publicUrl, refusedPassword }) => {
    const { database, mailer } = app;
    const asked = createRateLimit(clock, WINDOW_MS);
    const askedFor = createRateLimit(clock, WINDOW_MS);
    const confirmed = createRateLimit(clock, WINDOW_MS);
    const pending = new Set<Promise<void>>();
    app.addHook("onClose", async () => {
      await Promise.all(pending);
    });

    const tooMany = (retryAfter: number): ApiError =>
      new ApiError(429, "too-many-requests", "too many password reset requests", { retryAfter });

    app.route({
      ...routeOf(recoverBegin, {
        tags,
        summary: "Mail a link to a new password; the answer is the same for an unknown address",
      }),
      async handler(request, reply) {
        const retryAfter = asked.refuses(addressGroup(request.ip, 56), ASKED_PER_HOME);
        if (retryAfter !== null) throw tooMany(retryAfter);
        if (pending.size >= MAX_PENDING) throw tooMany(1);
        const email = request.body.email.trim();
        // Neither the answer nor its duration reveals if an account has this address.
        if (isEmail(email) && askedFor.refuses(email.toLowerCase(), ASKED_PER_EMAIL) === null) {
          const work: Promise<void> = beginRecovery({ database, mailer, publicUrl }, email, clock.now())
            .catch((error: unknown) =>
              request.log.error({ event: "recovery-link-failed", err: error }, "cannot create password link"),
            )
            .finally(() => pending.delete(work));
          pending.add(work);
        }
        return reply.code(202).send(undefined);
      },
    });

    app.route({
      ...routeOf(recoverConfirm, {
        tags,
        summary: "Set the password that a mailed link allows; ends all sessions of the account",
      }),
      async handler(request, reply) {
        const retryAfter = confirmed.refuses(addressGroup(request.ip, 56), CONFIRMED_PER_HOME);
        if (retryAfter !== null) throw tooMany(retryAfter);
        const { token, password } = request.body;
        const fault = passwordFault(password, PASSWORD_MIN_LENGTH.registration, refusedPassword);
        if (fault) throw new FieldsError([{ field: "password", defaultMessage: fault }]);
        const passwordHash = await hashPassword(password);
        const accountId = await finishRecovery(database, token, passwordHash, clock.now());
        if (accountId === null) {
          throw new FieldsError([
            { field: "token", defaultMessage: "The link has been used or has expired." },
          ]);
        }
        app.ingest.outputs.changed(accountId, "password", accountId);
        return reply.code(204).send(null);
      },
    });
  },
  { name: "recover", dependencies: ["database", "broker", "mail", "errors"] },
);
