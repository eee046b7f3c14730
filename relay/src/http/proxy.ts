import type { IncomingMessage } from "node:http";
import httpProxy from "@fastify/http-proxy";
import { FOR_ACCOUNT } from "@mulkko/shared/rest/command";
import type { Clock } from "@mulkko/shared/rules/clock";
import { OPEN_WINDOW_MS } from "@mulkko/shared/rules/valve";
import type { FastifyInstance, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import type { OwnSignIn } from "../upstream/own-sign-in.ts";
import type { TokenProver } from "../upstream/tokens.ts";
import { READS } from "./call-effects.ts";
import { callerOf } from "./caller.ts";
import { LOGIN_LIMITS, type LoginLimits, loginProxy } from "./login-proxy.ts";
import type { BodyHead } from "./named-in-body.ts";
import { photoProxy } from "./photo-proxy.ts";
import { pressTimeOf } from "./press-time.ts";
import type { ProxiedApi } from "./proxied-api.ts";
import { RelayError } from "./relay-error.ts";
import { bodyLimitFor, createWholeBodies, tooLarge } from "./whole-body.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The beginning of a body that is passed on; null without one. */
    bodyHead: BodyHead | null;
  }
}

export interface ProxyOptions {
  readonly api: ProxiedApi;
  /** Path prefixes of image files, e.g. `/images`. */
  readonly imagePrefixes: readonly string[];
  readonly signIn: OwnSignIn;
  readonly prover: Pick<TokenProver, "prove" | "proveAgain">;
  /** Close the valves that could no longer be closed after the call (CMD-15). */
  readonly closeFirst: (request: FastifyRequest) => Promise<void>;
  /** Refuse a setting that was given too long ago (CMD-16). */
  readonly refuseLate: (request: FastifyRequest) => void;
  readonly loginLimits?: LoginLimits;
}

/** Methods by which image files are read; nothing else below their prefixes is passed on. */
const READS_OF_IMAGES = ["GET", "HEAD"];

/** Proxy `/api/*` and the image files to the farm API without changing bytes. */
export const proxyPlugin = fp<ProxyOptions>(
  async (app, { api, imagePrefixes, signIn, prover, closeFirst, refuseLate, loginLimits }) => {
    await app.register(loginProxy, { api, limits: loginLimits ?? LOGIN_LIMITS, signIn });
    await app.register(photoProxy, { api });
    app.decorateRequest("bodyHead", null);
    await app.register(async (scope) => {
      scope.addHook("onRequest", async ({ farmCall }) => {
        if (farmCall?.operation?.answeredByRelay !== true) return;
        // By its own method the call has reached the relay's route; by another one it would pass it by.
        throw new RelayError(404, "not-found", "the call has another method");
      });
      awaitBodies(scope);
      // Only after the body has arrived, which may take long.
      scope.addHook("preHandler", async (request) => refuseLate(request));
      // CMD-8: a command that waited is never carried out in another account than the one it was pressed in.
      scope.addHook("preHandler", async (request) => {
        if (request.headers[FOR_ACCOUNT] !== undefined) await callerOf(request, prover, "remembered");
      });
      scope.addHook("preHandler", closeFirst);
      await scope.register(httpProxy, {
        ...api.options,
        prefix: "/api",
        rewritePrefix: `${api.basePath}/api`,
      });
    });
    await app.register(async (scope) => {
      for (const prefix of imagePrefixes) {
        const rewritePrefix = `${api.basePath}${prefix}`;
        await scope.register(httpProxy, {
          ...api.options,
          prefix,
          rewritePrefix,
          httpMethods: READS_OF_IMAGES,
        });
      }
    });
  },
  { name: "proxy", fastify: "5.x", dependencies: ["errors", "farm-call"] },
);

/**
 * Create the check that refuses a mode call with a press time that is too old (CMD-16): with a RelayError of
 * 409 `command-expired`, or 400 for invalid headers.
 * @param arrivedAt returns when a request's first byte arrived, monotonic ms
 */
export function createLateCheck(
  clock: Clock,
  arrivedAt: (request: IncomingMessage) => number,
): ProxyOptions["refuseLate"] {
  return ({ method, farmCall, headers, raw }) => {
    if (READS.includes(method) || farmCall?.operation?.commands !== "mode") return;
    const claimedAt = pressTimeOf(headers);
    if (claimedAt === null) return;
    const now = clock.now();
    const arrived = now - (clock.monotonic() - arrivedAt(raw));
    const pressedAt = Math.min(claimedAt, arrived);
    if (now - pressedAt > OPEN_WINDOW_MS) {
      throw new RelayError(409, "command-expired", "the setting arrived too late; nothing was changed");
    }
  };
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
    const contentType = request.headers["content-type"];
    const { whole, head, release } = await bodies.read(payload, bodyLimitFor(contentType));
    request.bodyHead = { contentType, text: head };
    reply.raw.once("close", release);
    return whole;
  });
}
