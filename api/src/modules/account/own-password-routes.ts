import { setTimeout as sleep } from "node:timers/promises";
import { OwnPasswordBody } from "@mulkko/shared/rest/account";
import { apiPath } from "@mulkko/shared/rest/routes";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { Type } from "typebox";
import { ApiError, FieldsError } from "../../http/api-error.ts";
import type { App } from "../../http/server.ts";
import { callerOf } from "../../plugins/auth.ts";
import { createLoginLimits } from "./login-limits.ts";
import { hashPassword, isPassword } from "./passwords.ts";
import { lockAccount, setPassword } from "./repository.ts";
import { passwordChangeFaults } from "./rules.ts";
import { revokeAllSessions } from "./sessions.ts";

interface OwnPasswordOptions {
  readonly clock: Clock;
  /** A password that everybody knows; null in the demo. */
  readonly refusedPassword: string | null;
  /** Hold an answer back; tests pass one that does not wait. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** Changing the own password with the current one (extension `own-password`), without mail. */
export const ownPasswordRoutes = fp<OwnPasswordOptions>(
  async (app: App, { clock, refusedPassword, wait = sleep }) => {
    // A stolen token must not be a way to guess the password.
    const limits = createLoginLimits(clock);
    app.route({
      method: "POST",
      url: apiPath.ownPassword,
      onRequest: app.authenticate,
      schema: {
        tags: ["account"],
        summary: "Change the own password with the current one; ends every other session",
        body: OwnPasswordBody,
        response: { 204: Type.Null() },
      },
      async handler(request, reply) {
        const { currentPassword, newPassword, confirmPassword } = request.body;
        const { account, sessionId } = callerOf(request);
        const retryAfter = limits.refuses(request.ip, account.username);
        if (retryAfter !== null) {
          throw new ApiError(429, "too-many-requests", "too many wrong passwords", { retryAfter });
        }
        const delay = limits.delayMs(account.username);
        if (delay > 0) await wait(delay);
        if (!(await isPassword(account.password_hash, currentPassword))) {
          limits.failed(request.ip, account.username);
          throw new FieldsError([
            { field: "currentPassword", defaultMessage: "The current password is wrong." },
          ]);
        }
        const faults = passwordChangeFaults(newPassword, confirmPassword, refusedPassword);
        if (faults.length > 0) throw new FieldsError(faults);
        limits.succeeded(request.ip, account.username);
        const passwordHash = await hashPassword(newPassword);
        await app.database.transaction(async (tx) => {
          const row = await lockAccount(tx, account.id);
          // Changed by an administrator or a mailed link while this one was hashed: the current password is another now.
          if (row?.password_hash !== account.password_hash) {
            throw new ApiError(409, "conflict", "the password was changed meanwhile");
          }
          await setPassword(tx, account.id, passwordHash);
          await revokeAllSessions(tx, account.id, sessionId, clock.now());
        });
        return reply.code(204).send(null);
      },
    });
  },
  { name: "own-password", dependencies: ["database", "auth", "errors"] },
);
