import { setTimeout as sleep } from "node:timers/promises";
import { LoginBody, type TokenPair } from "@mulkko/shared/rest/account";
import {
  accountInfo,
  accountLogin,
  accountLogout,
  tokenRefresh,
} from "@mulkko/shared/rest/operations/account";
import type { Clock } from "@mulkko/shared/rules/clock";
import { parse } from "@mulkko/shared/schema/parse";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { ApiError } from "../http/api-error.ts";
import { routeOf } from "../http/operation-route.ts";
import type { App } from "../http/server.ts";
import { callerOf } from "./auth.ts";
import { LoginLimits, type LoginOutcome } from "./login-limits.ts";
import { isPassword } from "./passwords.ts";
import { type AccountRow, accountOf, findAccountByName, isOnlyAccount } from "./repository.ts";
import { beginSession, refreshSession, revokeSession } from "./sessions.ts";
import { hasSignedInFrom, recordSignIn, type SignIn } from "./sign-ins.ts";

const tags = ["account"];

/** Read name and password from the query (as in the specification) or from a JSON or form body. */
function credentialsOf(request: FastifyRequest): LoginBody {
  const fromQuery = parse(LoginBody, request.query);
  if (fromQuery.ok) return fromQuery.value;
  const fromBody = parse(LoginBody, request.body);
  if (fromBody.ok) return fromBody.value;
  const problem = request.body === undefined || request.body === null ? fromQuery : fromBody;
  const field = problem.path.slice(1) || "username";
  throw new ApiError(422, "validation", `${field} is missing or not valid`, { field });
}

export interface AccountOptions {
  readonly clock: Clock;
  /** A publicly known password, which is therefore refused; null in the demo, where it is allowed. */
  readonly refusedPassword: string | null;
  /** Delays an answer; tests pass one that does not wait. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** Sign in, sign out, refresh, and return the current account. */
export const accountRoutes = fp<AccountOptions>(
  async (app: App, { clock, refusedPassword, wait = sleep }) => {
    const limits = new LoginLimits(clock, wait);

    // Name and password are in the query or in a body, so neither has its own schema.
    const documented = {
      body: LoginBody,
      consumes: ["application/json", "application/x-www-form-urlencoded"],
    };
    app.route({
      ...routeOf(accountLogin, {
        tags,
        summary: "Sign in; name and password in the query, or as a JSON or form body",
        body: undefined,
      }),
      config: { documented },
      async handler(request): Promise<TokenPair> {
        const { username, password } = credentialsOf(request);
        const attempt = await limits.begin({
          ...{ address: request.ip, username },
          isKnown: () => hasSignedInFrom(app.database, username, request.ip),
        });
        let outcome: LoginOutcome = "unchecked";
        const record = (account: SignIn["account"], shown: SignIn["outcome"]) =>
          recordSignIn(
            app.database,
            {
              ...{ account, outcome: shown, address: request.ip },
              userAgent: request.headers["user-agent"] ?? "",
            },
            clock.now(),
          );
        const check = async (): Promise<AccountRow> => {
          const account = await findAccountByName(app.database, username);
          const stored = password === refusedPassword ? null : (account?.password_hash ?? null);
          const isRight = await isPassword(stored, password);
          if (!isRight || !account) {
            outcome = "wrong";
            await record(account, account ? "wrong-password" : "unknown-name");
            throw new ApiError(401, "invalid-credentials", "the user name or the password is wrong");
          }
          if (account.disabled) {
            await record(account, "disabled");
            throw new ApiError(403, "account-disabled", "the account is disabled");
          }
          outcome = "right";
          return account;
        };
        const account = await check().finally(() => attempt.end(outcome));
        const { accessToken, refreshToken } = await beginSession(
          app.database,
          app.tokens,
          account.id,
          request.headers["user-agent"] ?? "",
          clock.now(),
        );
        await record(account, "signed-in");
        return { accessToken, refeshToken: refreshToken, refreshToken };
      },
    });

    app.route({
      ...routeOf(tokenRefresh, {
        tags,
        summary: "Exchange the refresh token in the header refreshToken for a new pair",
      }),
      handler: async (request): Promise<TokenPair> => {
        const token = request.headers.refreshtoken;
        const pair =
          typeof token === "string" && token.length <= 256
            ? await refreshSession(app.database, app.tokens, token, clock.now())
            : null;
        if (pair === "ended") throw new ApiError(401, "session-ended", "the session has been ended");
        if (!pair) throw new ApiError(401, "token-expired", "the refresh token is missing, expired or used");
        return { ...pair };
      },
    });

    app.route({
      ...routeOf(accountInfo, { tags, summary: "Return the caller's account" }),
      onRequest: app.authenticate,
      async handler(request) {
        const { account } = callerOf(request);
        if (account.user_type !== "ADMIN") return accountOf(account);
        return { ...accountOf(account), onlyAccount: await isOnlyAccount(app.database, account.id) };
      },
    });

    app.route({
      ...routeOf(accountLogout, { tags, summary: "End the session of the token" }),
      onRequest: app.authenticate,
      async handler(request, reply) {
        const { sessionId } = callerOf(request);
        if (sessionId) {
          await app.database.transaction((tx) => revokeSession(tx, sessionId, clock.now()));
        }
        return reply.code(204).send(null);
      },
    });
  },
  { name: "account", dependencies: ["database", "auth", "errors"] },
);
