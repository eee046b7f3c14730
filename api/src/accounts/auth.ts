import type { Clock } from "@mulkko/shared/rules/clock";
import type { FastifyRequest, onRequestAsyncHookHandler } from "fastify";
import fp from "fastify-plugin";
import { ApiError } from "../http/api-error.ts";
import { type AccountRow, findAccount, findAccountOfSession } from "./repository.ts";
import { createTokens, type Tokens } from "./tokens.ts";

/** The caller of a request. */
export interface Caller {
  readonly account: AccountRow;
  /** Null for the relay's own token. */
  readonly sessionId: string | null;
  /** `relay`: may read, and close valves, and nothing else. */
  readonly scope: "full" | "relay";
}

declare module "fastify" {
  interface FastifyInstance {
    tokens: Tokens;
    /** For `onRequest` of routes that need a token. */
    authenticate: onRequestAsyncHookHandler;
    /** The same, for administrators only. */
    authenticateAdmin: onRequestAsyncHookHandler;
    /** The same, without the relay's own token, which may not even read here. */
    authenticateAdminPerson: onRequestAsyncHookHandler;
  }
  interface FastifyRequest {
    caller: Caller | null;
  }
}

/** The caller of a route behind {@link authPlugin}'s `authenticate`. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new ApiError(401, "unauthorized", "a bearer token is required");
  return request.caller;
}

/** Return the owner of the caller's devices; null for an administrator, who may use any. */
export const ownerFilter = ({ account }: Caller): string | null =>
  account.user_type === "ADMIN" ? null : account.id;

const isSafe = (method: string): boolean => method === "GET" || method === "HEAD";

/** Check bearer tokens. The caller is looked up for every request, so that a logout applies at once. */
export const authPlugin = fp<{ clock: Clock; relayCommandUrls: readonly string[] }>(
  async (app, { clock, relayCommandUrls }) => {
    const tokens = await createTokens(app.database);
    const commandUrls = new Set(relayCommandUrls);

    const identify = async (header: string | undefined): Promise<Caller | null> => {
      const token = /^Bearer ([\w.~+/=-]+)$/i.exec(header ?? "")?.[1];
      const claims = token ? await tokens.read(token, clock.now()) : null;
      if (!claims) return null;
      const { sub, sid = null, scope } = claims;
      if (scope === "full" && sid === null) return null;
      const account = sid
        ? await findAccountOfSession(app.database, sub, sid)
        : await findAccount(app.database, sub);
      return account ? { account, sessionId: sid, scope } : null;
    };

    app.decorateRequest("caller", null);
    app.decorate("tokens", tokens);
    const authenticate = async (request: FastifyRequest): Promise<Caller> => {
      const caller = await identify(request.headers.authorization);
      if (!caller) throw new ApiError(401, "unauthorized", "the access token is missing, expired or revoked");
      if (caller.account.disabled) throw new ApiError(403, "account-disabled", "the account is disabled");
      const url = request.routeOptions.url ?? "";
      if (caller.scope === "relay" && !isSafe(request.method) && !commandUrls.has(url)) {
        throw new ApiError(403, "forbidden", "this token may read and close valves only");
      }
      request.caller = caller;
      return caller;
    };
    const authenticateAdmin = async (request: FastifyRequest): Promise<Caller> => {
      const caller = await authenticate(request);
      if (caller.account.user_type !== "ADMIN") {
        throw new ApiError(403, "forbidden", "for administrators only");
      }
      return caller;
    };
    app.decorate("authenticate", async (request) => {
      await authenticate(request);
    });
    app.decorate("authenticateAdmin", async (request) => {
      await authenticateAdmin(request);
    });
    app.decorate("authenticateAdminPerson", async (request) => {
      const { scope } = await authenticateAdmin(request);
      if (scope !== "full") throw new ApiError(403, "forbidden", "this token may not read this resource");
    });
  },
  { name: "auth", dependencies: ["database"] },
);
