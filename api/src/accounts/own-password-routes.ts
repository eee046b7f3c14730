import { setTimeout as sleep } from "node:timers/promises";
import { ownPassword } from "@mulkko/shared/rest/operations/account";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { ApiError, FieldsError } from "../http/api-error.ts";
import { routeOf } from "../http/operation-route.ts";
import type { App } from "../http/server.ts";
import { callerOf } from "./auth.ts";
import { LoginLimits, type LoginOutcome } from "./login-limits.ts";
import { hashPassword, isPassword } from "./passwords.ts";
import { lockAccount, setPassword } from "./repository.ts";
import { passwordChangeFaults } from "./rules.ts";
import { revokeAllSessions } from "./sessions.ts";

interface OwnPasswordOptions {
  readonly clock: Clock;
  /** A publicly known password; null in the demo. */
  readonly refusedPassword: string | null;
  /** Delays an answer; tests pass one that does not wait. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** Change one's own password with the current one (extension `own-password`), without mail. */
export const ownPasswordRoutes = fp<OwnPasswordOptions>(
  async (app: App, { clock, refusedPassword, wait = sleep }) => {
    // A stolen token must not allow guessing the password.
    const limits = new LoginLimits(clock, wait);
    app.route({
      ...routeOf(ownPassword, {
        tags: ["account"],
        summary: "Change the own password with the current one; ends every other session",
      }),
      onRequest: app.authenticate,
      async handler(request, reply) {
        const { currentPassword, newPassword, confirmPassword } = request.body;
        const { account, sessionId } = callerOf(request);
        const attempt = await limits.begin({
          ...{ address: request.ip, username: account.username },
          // A stolen token may be used at the owner's own address.
          isKnown: async () => false,
        });
        let outcome: LoginOutcome = "unchecked";
        try {
          const isRight = await isPassword(account.password_hash, currentPassword);
          outcome = isRight ? "right" : "wrong";
        } finally {
          attempt.end(outcome);
        }
        if (outcome === "wrong") {
          throw new FieldsError([
            { field: "currentPassword", defaultMessage: "The current password is wrong." },
          ]);
        }
        const faults = passwordChangeFaults(newPassword, confirmPassword, refusedPassword);
        if (faults.length > 0) throw new FieldsError(faults);
        const passwordHash = await hashPassword(newPassword);
        await app.database.transaction(async (tx) => {
          const row = await lockAccount(tx, account.id);
          // An administrator or a mailed link changed the password while this one was hashed: the current
          // password no longer applies.
          if (row?.password_hash !== account.password_hash) {
            throw new ApiError(409, "conflict", "the password was changed meanwhile");
          }
          await setPassword(tx, account.id, passwordHash, clock.now());
          await revokeAllSessions(tx, account.id, sessionId, clock.now());
        });
        return reply.code(204).send(null);
      },
    });
  },
  { name: "own-password", dependencies: ["database", "auth", "errors"] },
);
