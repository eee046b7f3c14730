import type { IncomingMessage } from "node:http";
import httpProxy from "@fastify/http-proxy";
import { FOR_ACCOUNT } from "@mulkko/shared/rest/command";
import type { Clock } from "@mulkko/shared/rules/clock";
import { OPEN_WINDOW_MS } from "@mulkko/shared/rules/valve";
import type { FastifyInstance, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import type { OwnSignIn } from "../access/own-sessions.ts";
import type { TokenProofs } from "../access/token-prover.ts";
import { READS } from "./call-effects.ts";
import { callerOf } from "./caller.ts";
import { LOGIN_LIMITS, type LoginLimits, loginProxy } from "./login-proxy.ts";
import type { BodyHead } from "./named-in-body.ts";
import { photoProxy, takeImagePlaces } from "./photo-proxy.ts";
import { pressTimeOf } from "./press-time.ts";
import type { ProxiedApi } from "./proxied-api.ts";
import { RelayError } from "./relay-error.ts";
import { hasBody } from "./request-bodies.ts";
import { type CallHolder, holderOf } from "./shares/holder.ts";
import { goneSignal } from "./shares/own-turn.ts";
import { STRANGER_BODY_BYTES } from "./shares/pools.ts";
import type { Shares } from "./shares/shares.ts";
import { bodyLimitFor, readWhole, tooLarge } from "./whole-body.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The beginning of a body that is passed on; null without one. */
    bodyHead: BodyHead | null;
    /** The holder of what a proxied call takes. */
    holder: CallHolder;
  }
}

export interface ProxyOptions {
  readonly api: ProxiedApi;
  /** Path prefixes of image files, e.g. `/images`. */
  readonly imagePrefixes: readonly string[];
  readonly signIn: OwnSignIn;
  readonly prover: TokenProofs;
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
    app.decorateRequest("holder");
    await app.register(async (scope) => {
      scope.addHook("onRequest", async ({ farmCall }) => {
        if (farmCall?.operation?.answeredByRelay !== true) return;
        // By its own method the call has reached the relay's route; by another one it would pass it by.
        throw new RelayError(404, "not-found", "the call has another method");
      });
      scope.addHook("onRequest", async (request) => {
        request.holder = await holderOf(request, prover);
      });
      awaitBodies(scope, api.shares);
      // Only after the body has arrived, which may take long.
      scope.addHook("preHandler", async (request) => refuseLate(request));
      // CMD-8: a command that waited is never carried out in another account than the one it was pressed in.
      scope.addHook("preHandler", async (request) => {
        if (request.headers[FOR_ACCOUNT] !== undefined) await callerOf(request, prover, "remembered");
      });
      // Before anything is done for the call.
      scope.addHook("preHandler", async (request, reply) => {
        const { holder } = request;
        await api.shares.calls.take(holder.isAccount ? "account" : "stranger", holder, request, reply);
      });
      scope.addHook("preHandler", closeFirst);
      await scope.register(httpProxy, {
        ...api.options,
        prefix: "/api",
        rewritePrefix: `${api.basePath}/api`,
      });
    });
    await app.register(async (scope) => {
      takeImagePlaces(scope, api.shares);
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
 * Refuse a body with a declared size above the limit, and receive any other before the farm API is asked. It is
 * not read before its caller is known and has room for it (SHARE-4).
 */
function awaitBodies(scope: FastifyInstance, { bodies }: Shares): void {
  scope.addHook("preParsing", async (request, reply, payload) => {
    if (READS.includes(request.method) || !hasBody(request)) return payload;
    const contentType = request.headers["content-type"];
    const length = request.headers["content-length"];
    const { isAccount, refusal } = request.holder;
    const most = bodyLimitFor(contentType);
    const limit = isAccount ? most : STRANGER_BODY_BYTES;
    const declared = length === undefined ? limit : Number(length);
    if (declared > most) throw tooLarge(most);
    if (declared > limit) throw refusal ?? tooLarge(limit);
    const pool = isAccount ? bodies.account : bodies.stranger;
    const release = await pool.take(request.holder, Math.max(1, declared), goneSignal(request.raw.socket));
    reply.raw.once("close", release);
    const { whole, head } = await readWhole(payload, limit);
    request.bodyHead = { contentType, text: head };
    return whole;
  });
}
