import { pipeline } from "node:stream";
import httpProxy from "@fastify/http-proxy";
import { apiPath } from "@mulkko/shared/rest/routes";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { FastifyInstance } from "fastify";
import fp from "fastify-plugin";
import { bearerOf } from "../core/bearer.ts";
import { adminWrite } from "../core/touched.ts";
import { pathOf } from "../plugins/logging.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Owners } from "../ports/owners.ts";
import type { TokenProver } from "../ports/tokens.ts";
import type { WatchDesk } from "../ports/watch.ts";
import { bodyLimitFor, createBodyCap, tooLarge } from "./body-cap.ts";
import { LOGIN_LIMITS, type LoginLimits, loginProxy } from "./login-proxy.ts";
import { accountNamedIn, createBodyMemory } from "./named-account.ts";
import type { OwnSignIn } from "./own-sign-in.ts";
import { type PasswordChange, passwordChangeOf } from "./password-change.ts";
import { type ProxiedRequest, proxyOptions } from "./proxy-options.ts";
import { type Revoked, revokedBy } from "./revoking-calls.ts";

export interface ProxyOptions {
  /** Origin of the farm API. */
  readonly origin: string;
  /** Path prefixes of image files, e.g. `/images`. */
  readonly imagePrefixes: readonly string[];
  readonly owners: Pick<Owners, "written">;
  readonly watch: Pick<WatchDesk, "wish">;
  readonly signIn: OwnSignIn;
  readonly prover: TokenProver;
  /** The account was deleted, or has another password: its displays end. */
  readonly endDisplays: (accountId: string) => void;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly loginLimits?: LoginLimits;
}

const READS = ["GET", "HEAD", "OPTIONS"];

/** A 401 of this call is about the refresh token, not about the bearer's. */
const isRefresh = (path: string): boolean => path === apiPath.refresh;

/** Passes `/api/*` and the image files on to the farm API, bytes as they are. */
export const proxyPlugin = fp<ProxyOptions>(
  async (app, options) => {
    const { prover, owners, watch } = options;
    /** What administrators write: it may name another account. */
    const bodies = new WeakMap<object, ReturnType<typeof createBodyMemory>>();

    function onAnswer(request: ProxiedRequest, status: number): void {
      const token = bearerOf(request.headers.authorization);
      const path = pathOf(request.url);
      if (token === undefined || isRefresh(path)) return;
      if (status === 401) prover.reject(token);
      const doubtful = status < 300 ? revokedBy(request.method, path) : null;
      if (doubtful !== null) {
        doubt(doubtful, token).catch((error: unknown) => {
          request.log.warn({ err: error }, "tokens that were revoked may live on until their end");
        });
      }
      if (status >= 300 || READS.includes(request.method)) return;
      const changed = passwordChangeOf(path);
      if (changed !== null) {
        passwordChanged(changed, token).catch((error: unknown) => {
          request.log.warn({ err: error }, "a change of a password could not be told to the account's owner");
        });
      }
      written(request, token, path).catch((error: unknown) => {
        request.log.warn({ err: error }, "a write could not be told to the account's owner");
      });
    }

    /** A new password ends the relay's own session for the account, and its displays. */
    async function passwordChanged(change: PasswordChange, token: string): Promise<void> {
      const proof = change.of === "account" ? null : await prover.prove(token);
      if (proof && !proof.ok) return;
      const accountId = change.of === "account" ? change.accountId : proof?.proven.accountId;
      if (accountId === undefined) return;
      options.endDisplays(accountId);
      await watch.wish(accountId, "password-changed");
    }

    /** AUTH-4. What is remembered of the caller's own token tells whose it was. */
    async function doubt(whose: Revoked, token: string): Promise<void> {
      if (whose.of === "account") {
        prover.doubt(whose.accountId);
        if (whose.deleted) options.endDisplays(whose.accountId);
        return;
      }
      const proof = await prover.prove(token);
      if (proof.ok) prover.doubt(proof.proven.accountId);
    }

    /** POLL-8. The proof is remembered, so that this asks the API nothing. */
    async function written(request: ProxiedRequest, token: string, path: string): Promise<void> {
      const proof = await prover.prove(token);
      const named = accountNamedIn(request.headers["content-type"], bodies.get(request)?.text() ?? "");
      if (proof.ok) owners.written(proof.proven.accountId, path, named);
      else request.log.debug({ path }, "a write by a token that is not known");
    }

    const proxy = proxyOptions({ ...options, onAnswer });
    await app.register(loginProxy, {
      proxy,
      limits: options.loginLimits ?? LOGIN_LIMITS,
      signIn: options.signIn,
    });
    await app.register(async (scope) => {
      capBodies(scope);
      scope.addHook("preParsing", async (request, _reply, payload) => {
        if (READS.includes(request.method) || adminWrite(pathOf(request.url)) === null) return payload;
        const memory = createBodyMemory();
        bodies.set(request, memory);
        pipeline(payload, memory, (error) => {
          if (error) request.log.debug({ err: error }, "the body was not read to its end");
        });
        return memory;
      });
      for (const prefix of ["/api", ...options.imagePrefixes]) {
        await scope.register(httpProxy, { ...proxy, prefix, rewritePrefix: prefix });
      }
    });
  },
  { name: "proxy", fastify: "5.x", dependencies: ["errors"] },
);

/** A body that says that it is too large is not read at all; one that does not say is cut when it is. */
function capBodies(scope: FastifyInstance): void {
  scope.addHook("onRequest", async (request) => {
    const limit = bodyLimitFor(request.headers["content-type"]);
    if (Number(request.headers["content-length"] ?? 0) > limit) throw tooLarge(limit);
  });
  scope.addHook("preParsing", async (request, _reply, payload) => {
    const cap = createBodyCap(bodyLimitFor(request.headers["content-type"]));
    pipeline(payload, cap, (error) => {
      if (error) request.log.debug({ err: error }, "the body was not read to its end");
    });
    return cap;
  });
}
