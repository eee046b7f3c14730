import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream";
import httpProxy from "@fastify/http-proxy";
import { PRESS_HEADERS } from "@mulkko/shared/rest/command";
import { apiPath } from "@mulkko/shared/rest/routes";
import type { SetupState } from "@mulkko/shared/rest/setup";
import type { Clock } from "@mulkko/shared/rules/clock";
import { OPEN_WINDOW_MS } from "@mulkko/shared/rules/valve";
import { Instant } from "@mulkko/shared/schema/instant";
import { parse } from "@mulkko/shared/schema/parse";
import type { FastifyInstance, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import type { Metrics } from "../runtime/metrics.ts";
import type { OwnSignIn } from "../upstream/own-sign-in.ts";
import type { TokenProver } from "../upstream/tokens.ts";
import type { WatchService } from "../upstream/watch.ts";
import {
  accountNamedIn,
  adminWrite,
  createBodyMemory,
  type PasswordChange,
  passwordChangeOf,
  type Revoked,
  revokedBy,
} from "../upstream/write-effects.ts";
import { bearerOf } from "./bearer.ts";
import { pathOf } from "./logging.ts";
import { LOGIN_LIMITS, type LoginLimits, loginProxy } from "./login-proxy.ts";
import { photoProxy } from "./photo-proxy.ts";
import { basePathOf, type ProxiedRequest, proxyOptions } from "./proxy-options.ts";
import { RelayError } from "./relay-error.ts";
import { bodyLimitFor, createWholeBodies, tooLarge } from "./whole-body.ts";

export interface ProxyOptions {
  /** Origin of the farm API, with its base path, if any. */
  readonly origin: string;
  /** Path prefixes of image files, e.g. `/images`. */
  readonly imagePrefixes: readonly string[];
  readonly owners: {
    /** Make due what a write to this path changes (POLL-8). @param named the account in its body, or null */
    written(accountId: string, path: string, named?: string | null): void;
  };
  readonly watch: Pick<WatchService, "wish">;
  readonly signIn: OwnSignIn;
  readonly prover: TokenProver;
  /** Revoke the displays of an account that was deleted or has a new password. */
  readonly endDisplays: (accountId: string) => void;
  /** Close the valves that could no longer be closed after the call (CMD-15). */
  readonly closeFirst: (request: FastifyRequest) => Promise<void>;
  readonly metrics: Metrics;
  readonly clock: Clock;
  /** Return when a request's first byte arrived, monotonic ms. */
  readonly arrivedAt: (request: IncomingMessage) => number;
  readonly loginLimits?: LoginLimits;
}

const READS = ["GET", "HEAD", "OPTIONS"];

/** True for the call whose 401 concerns the refresh token, not the bearer's. */
const isRefresh = (path: string): boolean => path === apiPath.refresh;

/** Proxy `/api/*` and the image files to the farm API without changing bytes. */
export const proxyPlugin = fp<ProxyOptions>(
  async (app, options) => {
    const { prover, owners, watch } = options;
    const basePath = basePathOf(options.origin);
    /** Bodies of administrators' writes, which may name another account. */
    const bodies = new WeakMap<object, ReturnType<typeof createBodyMemory>>();

    function onAnswer(request: ProxiedRequest, status: number): void {
      const token = bearerOf(request.headers.authorization);
      const path = pathOf(request.url);
      if (token === undefined || isRefresh(path)) return;
      if (status === 401) prover.reject(token);
      const doubtful = status < 300 ? revokedBy(request.method, path) : null;
      if (doubtful !== null) {
        doubt(doubtful, token).catch((error: unknown) => {
          request.log.warn(
            { event: "revocation-failed", err: error },
            "failed to invalidate revoked tokens, valid until their end",
          );
        });
      }
      // POLL-8: a server error leaves open if the write was executed.
      if (status >= 500) wroteMaybe(request, token, path);
      if (status >= 300 || READS.includes(request.method)) return;
      const changed = passwordChangeOf(path);
      if (changed !== null) {
        passwordChanged(changed, token).catch((error: unknown) => {
          request.log.warn(
            { event: "password-change-failed", err: error },
            "failed to report password change to account owner",
          );
        });
      }
      wroteMaybe(request, token, path);
    }

    function onLost(request: ProxiedRequest): void {
      const token = bearerOf(request.headers.authorization);
      if (token !== undefined) wroteMaybe(request, token, pathOf(request.url));
    }

    function wroteMaybe(request: ProxiedRequest, token: string, path: string): void {
      if (READS.includes(request.method)) return;
      written(request, token, path).catch((error: unknown) => {
        request.log.warn(
          { event: "write-report-failed", err: error },
          "failed to report write to account owner",
        );
      });
    }

    /** End the relay's own session for the account, and its displays, after a password change. */
    async function passwordChanged(change: PasswordChange, token: string): Promise<void> {
      const proof = change.of === "account" ? null : await prover.prove(token);
      if (proof && !proof.ok) return;
      const accountId = change.of === "account" ? change.accountId : proof?.proven.accountId;
      if (accountId === undefined) return;
      options.endDisplays(accountId);
      await watch.wish(accountId, "password-changed");
    }

    /**
     * Doubt the tokens of an account (AUTH-4). The cached proof of the caller's token identifies the
     * account.
     */
    async function doubt(whose: Revoked, token: string): Promise<void> {
      if (whose.of === "account") {
        prover.doubt(whose.accountId);
        if (whose.deleted) options.endDisplays(whose.accountId);
        return;
      }
      const proof = await prover.prove(token);
      if (proof.ok) prover.doubt(proof.proven.accountId);
    }

    /**
     * Report a write to the account's owner (POLL-8). The cached proof makes a request to the API
     * unnecessary.
     */
    async function written(request: ProxiedRequest, token: string, path: string): Promise<void> {
      const proof = await prover.prove(token);
      const named = accountNamedIn(request.headers["content-type"], bodies.get(request)?.text() ?? "");
      if (proof.ok) owners.written(proof.proven.accountId, path, named);
      else request.log.debug({ event: "unknown-writer", path }, "write with unknown token");
    }

    const proxy = proxyOptions({ ...options, onAnswer, onLost, replacing: withoutSetup });
    await app.register(loginProxy, {
      proxy,
      limits: options.loginLimits ?? LOGIN_LIMITS,
      signIn: options.signIn,
      basePath,
    });
    await app.register(photoProxy, { proxy, basePath });
    await app.register(async (scope) => {
      scope.addHook("onRequest", options.closeFirst);
      awaitBodies(scope);
      // Only after the body has arrived, which may take long.
      scope.addHook("preHandler", async (request) => {
        if (READS.includes(request.method) || !isModeCall(pathOf(request.url))) return;
        refuseLate(request, options);
      });
      scope.addHook("preParsing", async (request, _reply, payload) => {
        if (READS.includes(request.method) || adminWrite(pathOf(request.url)) === null) return payload;
        const memory = createBodyMemory();
        bodies.set(request, memory);
        pipeline(payload, memory, (error) => {
          if (error) request.log.debug({ event: "body-unread", err: error }, "failed to read request body");
        });
        return memory;
      });
      for (const prefix of ["/api", ...options.imagePrefixes]) {
        await scope.register(httpProxy, { ...proxy, prefix, rewritePrefix: `${basePath}${prefix}` });
      }
    });
  },
  { name: "proxy", fastify: "5.x", dependencies: ["errors"] },
);

const NO_SUCH_CALL = [401, 403, 404, 405];

/** Answer for an API without first set-up: a browser would report its refusal as an error of the page. */
function withoutSetup(request: ProxiedRequest, status: number): SetupState | undefined {
  const isAsked = request.method === "GET" && pathOf(request.url) === apiPath.setup;
  return isAsked && NO_SUCH_CALL.includes(status) ? { needed: false } : undefined;
}

/** True for calls that save or activate a channel's mode. */
const isModeCall = (path: string): boolean =>
  /^\/api\/v1\/controller\/channel\/[^/]+\/(trigger|reservation|period|mode)(\/|$)/.test(path);

const WITHIN_MS = /^\d{1,8}$/;

/**
 * Refuse a mode call with a press time that is too old (CMD-16).
 *
 * @throws RelayError 409 `command-expired`, 400 for invalid headers
 */
function refuseLate({ headers, raw }: FastifyRequest, { clock, arrivedAt }: ProxyOptions): void {
  const { [PRESS_HEADERS.at]: at, [PRESS_HEADERS.withinMs]: within = "0" } = headers;
  if (at === undefined) return;
  const pressed = parse(Instant, at);
  if (!pressed.ok || typeof within !== "string" || !WITHIN_MS.test(within)) {
    throw new RelayError(400, "malformed", `${PRESS_HEADERS.at} or ${PRESS_HEADERS.withinMs} is invalid`);
  }
  const now = clock.now();
  const arrived = now - (clock.monotonic() - arrivedAt(raw));
  const pressedAt = Math.min(Date.parse(pressed.value) - Number(within), arrived);
  if (now - pressedAt > OPEN_WINDOW_MS) {
    throw new RelayError(409, "command-expired", "the setting arrived too late; nothing was changed");
  }
}

/**
 * Refuse a body with a declared size above the limit, and receive any other before the farm API is asked.
 * The relay has 128 connections to the API; a few slow bodies on them would block all other callers.
 */
function awaitBodies(scope: FastifyInstance): void {
  const bodies = createWholeBodies();
  scope.addHook("onRequest", async (request) => {
    const limit = bodyLimitFor(request.headers["content-type"]);
    if (Number(request.headers["content-length"] ?? 0) > limit) throw tooLarge(limit);
  });
  scope.addHook("preParsing", async (request, reply, payload) => {
    if (READS.includes(request.method)) return payload;
    const { whole, release } = await bodies.read(payload, bodyLimitFor(request.headers["content-type"]));
    reply.raw.once("close", release);
    return whole;
  });
}
