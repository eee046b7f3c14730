import httpProxy from "@fastify/http-proxy";
import rateLimit from "@fastify/rate-limit";
import { LoginBody } from "@mulkko/shared/rest/account";
import { accountLogin } from "@mulkko/shared/rest/operations/account";
import { parse } from "@mulkko/shared/schema/parse";
import { addressGroup } from "@mulkko/shared/server/address-group";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { OwnSignIn } from "../access/own-sessions.ts";
import { forwardedHeaders, type ProxiedApi } from "./proxied-api.ts";
import { RelayError } from "./relay-error.ts";

/** Limits of proxied logins per window; a farm's whole family may share an address. */
export interface LoginLimits {
  readonly perAddress: number;
  readonly perAddressAndName: number;
  readonly windowMs: number;
}

export const LOGIN_LIMITS: LoginLimits = { perAddress: 60, perAddressAndName: 20, windowMs: 60_000 };

interface Options {
  readonly api: ProxiedApi;
  readonly limits: LoginLimits;
  readonly signIn: OwnSignIn;
}

const BODY_BYTES = 4_096;

/** A home's whole connection counts as one address: sign-ins are slow on purpose, and their places few. */
const homeOf = ({ ip }: FastifyRequest): string => addressGroup(ip, 56);

/** Return the credentials from a JSON body, a form, or the query of the plain contract. */
function credentialsOf(request: FastifyRequest): LoginBody {
  const said = request.body ?? request.query;
  const parsed = parse(LoginBody, said);
  if (parsed.ok) return parsed.value;
  const missing = (["username", "password"] as const).filter(
    (field) => !(typeof said === "object" && said !== null && field in said),
  );
  const errors = missing.map((field) => ({ field, defaultMessage: "is required" }));
  throw new RelayError(422, "validation", "username and password are required", errors);
}

/**
 * `POST /api/account/login`: the browser sends name and password in a body. The API expects them in the
 * query, where proxies and logs would expose them. The relay therefore builds the query in the last step,
 * and never logs it.
 */
export async function loginProxy(app: FastifyInstance, { api, limits, signIn }: Options): Promise<void> {
  await app.register(rateLimit, { global: false });
  const { windowMs: timeWindow } = limits;
  const byAddress = app.createRateLimit({ max: limits.perAddress, timeWindow, keyGenerator: homeOf });
  const byName = app.createRateLimit({
    max: limits.perAddressAndName,
    timeWindow,
    keyGenerator: (request) => `${addressGroup(request.ip)} ${credentialsOf(request).username.toLowerCase()}`,
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "string", bodyLimit: BODY_BYTES },
    (_request, text, done) => {
      try {
        done(null, JSON.parse(String(text)));
      } catch {
        done(new RelayError(400, "malformed", "the body is not valid JSON"));
      }
    },
  );
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: BODY_BYTES },
    (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(String(text)))),
  );

  await app.register(httpProxy, {
    ...api.options,
    prefix: accountLogin.path,
    rewritePrefix: `${api.basePath}${accountLogin.path}`,
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
      await api.shares.calls.take("sign-in", { name: homeOf(request), address: null }, request, reply);
      // Sign in for the relay first, then for the user: if an API lets a new login end the previous one, the
      // user's stays valid.
      const refused = await signIn(login, forwardedHeaders(request));
      if (refused !== null) {
        // A repeated attempt would be refused too, and an API that counts attempts would lock the account
        // sooner.
        const { status, code, said, message } = refused;
        const words = said ?? message;
        return reply.code(status).send(code === "" ? { message: words } : { code, message: words });
      }
      const { username, password } = login;
      return api.shares.calls.send(request, () =>
        reply.from(destination, {
          ...options,
          body: null,
          queryString: () => new URLSearchParams({ username, password }).toString(),
        }),
      );
    },
  });
}
