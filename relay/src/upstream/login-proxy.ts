import httpProxy, { type FastifyHttpProxyOptions } from "@fastify/http-proxy";
import rateLimit from "@fastify/rate-limit";
import { LoginBody } from "@mulkko/shared/rest/account";
import { apiPath } from "@mulkko/shared/rest/routes";
import { parse } from "@mulkko/shared/schema/parse";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { RelayError } from "../plugins/relay-error.ts";
import type { OwnSignIn } from "./own-sign-in.ts";
import { forwardedHeaders } from "./proxy-options.ts";

/** Logins that are passed on, within a window; a farm's whole family may share an address. */
export interface LoginLimits {
  readonly perAddress: number;
  readonly perAddressAndName: number;
  readonly windowMs: number;
}

export const LOGIN_LIMITS: LoginLimits = { perAddress: 60, perAddressAndName: 20, windowMs: 60_000 };

interface Options {
  readonly proxy: FastifyHttpProxyOptions;
  readonly limits: LoginLimits;
  readonly signIn: OwnSignIn;
}

const BODY_BYTES = 4_096;

/** What was said by JSON body, by form, or in the query as the plain contract has it. */
function credentialsOf(request: FastifyRequest): LoginBody {
  const said = request.body ?? request.query;
  const parsed = parse(LoginBody, said);
  if (parsed.ok) return parsed.value;
  const missing = (["username", "password"] as const).filter(
    (field) => !(typeof said === "object" && said !== null && field in said),
  );
  const errors = missing.map((field) => ({ field, defaultMessage: "is required" }));
  throw new RelayError(422, "validation", "username and password are needed", errors);
}

/**
 * `POST /api/account/login`: the browser says name and password in a body; the API wants them in the query, where
 * proxies and logs would find them. So the query is made here, on the last step, and no line ever holds it.
 */
export async function loginProxy(app: FastifyInstance, { proxy, limits, signIn }: Options): Promise<void> {
  await app.register(rateLimit, { global: false });
  const { windowMs: timeWindow } = limits;
  const byAddress = app.createRateLimit({ max: limits.perAddress, timeWindow });
  const byName = app.createRateLimit({
    max: limits.perAddressAndName,
    timeWindow,
    keyGenerator: (request) => `${request.ip} ${credentialsOf(request).username.toLowerCase()}`,
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "string", bodyLimit: BODY_BYTES },
    (_request, text, done) => {
      try {
        done(null, JSON.parse(String(text)));
      } catch {
        done(new RelayError(400, "malformed", "the body is no JSON"));
      }
    },
  );
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: BODY_BYTES },
    (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(String(text)))),
  );

  await app.register(httpProxy, {
    ...proxy,
    prefix: apiPath.login,
    rewritePrefix: apiPath.login,
    httpMethods: ["POST"],
    routes: ["/"],
    proxyPayloads: false,
    handler: async (request, reply, destination, options) => {
      const login = credentialsOf(request);
      for (const check of [byAddress, byName]) {
        const verdict = await check(request);
        if (verdict.isAllowed || !verdict.isExceeded) continue;
        reply.header("retry-after", String(verdict.ttlInSeconds));
        throw new RelayError(429, "too-many-requests", "too many logins, try again later");
      }
      // First for the relay, then for the person: where an API lets a new login end the one before, theirs is good.
      await signIn(login, forwardedHeaders(request));
      const { username, password } = login;
      return reply.from(destination, {
        ...options,
        body: null,
        queryString: () => new URLSearchParams({ username, password }).toString(),
      });
    },
  });
}
