import type { FastifyHttpProxyOptions } from "@fastify/http-proxy";
import { FOR_ACCOUNT, PRESS_HEADERS } from "@mulkko/shared/rest/command";
import { setupRead } from "@mulkko/shared/rest/operations/account";
import { DESPITE_OPEN_VALVE } from "@mulkko/shared/rest/routes";
import type { SetupState } from "@mulkko/shared/rest/setup";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { Metrics, UpstreamOutcome } from "../runtime/metrics.ts";
import type { CallEffects, ProxiedRequest } from "./call-effects.ts";
import { RelayError, sendError } from "./relay-error.ts";
import type { Shares } from "./shares/shares.ts";

type ReplyOptions = NonNullable<FastifyHttpProxyOptions["replyOptions"]>;
type ProxiedReply = Parameters<NonNullable<ReplyOptions["onError"]>>[0];

/** The farm API, as the proxies reach it. */
export interface ProxiedApi {
  /** Prefix of every path of the API; "" for one at the root of its host. */
  readonly basePath: string;
  /** Options common to all proxied paths. */
  readonly options: FastifyHttpProxyOptions & { replyOptions: ReplyOptions };
  /** The pools in which each proxied call takes a place before it is passed on. */
  readonly shares: Shares;
}

/** The API would trust these headers if a client could set them. */
const FORWARDING = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/** Headers by which some servers replace the method or the path of a request (PATH-1). */
const OVERRIDES = [
  "x-http-method",
  "x-http-method-override",
  "x-method-override",
  "x-original-url",
  "x-original-uri",
  "x-rewrite-url",
];

/** Hop-by-hop headers between client and relay; the HTTP client refuses requests with some of them. */
const HOP_BY_HOP = [
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "upgrade",
];
const NOT_PASSED = new Set<string>([
  ...FORWARDING,
  ...OVERRIDES,
  ...HOP_BY_HOP,
  ...Object.values(PRESS_HEADERS),
  DESPITE_OPEN_VALVE,
  FOR_ACCOUNT,
]);

const BODY_HEADERS = ["content-length", "content-type", "content-encoding", "transfer-encoding"];

/** Return the forwarding headers for a request, as the relay knows its origin. */
export function forwardedHeaders(
  request: Pick<ProxiedRequest, "ip" | "protocol" | "host" | "id">,
): Record<string, string> {
  return {
    "x-forwarded-for": request.ip,
    "x-forwarded-proto": request.protocol,
    "x-forwarded-host": request.host,
    "x-request-id": request.id,
  };
}

const NO_SUCH_CALL = [401, 403, 404, 405];

/** Answer for an API without first set-up: a browser would report its refusal as an error of the page. */
function withoutSetup(request: ProxiedRequest, status: number): SetupState | undefined {
  const isAsked = request.farmCall?.operation === setupRead;
  return isAsked && NO_SUCH_CALL.includes(status) ? { needed: false } : undefined;
}

/** @param origin address of the farm API, including the prefix of every path */
export function createProxiedApi(
  origin: string,
  effects: Pick<CallEffects, "answered" | "lost">,
  metrics: Metrics,
  clock: Clock,
  shares: Shares,
): ProxiedApi {
  const startedAt = new WeakMap<object, number>();

  function count(request: object, outcome: UpstreamOutcome): void {
    const now = clock.monotonic();
    metrics.upstreamCall("proxy", outcome, now - (startedAt.get(request) ?? now));
  }

  const options: ProxiedApi["options"] = {
    upstream: new URL(origin).origin,
    disableRequestLogging: true,
    ...shares.calls.options,
    replyOptions: {
      // Not `maxRetriesOn503: 0`, which counts as unset: no request is ever sent to the API twice.
      retryDelay: () => null,
      rewriteRequestHeaders(request, headers) {
        startedAt.set(request, clock.monotonic());
        const own = Object.entries(headers).filter(([name]) => !NOT_PASSED.has(name));
        return {
          ...Object.fromEntries(own),
          ...forwardedHeaders(request),
        };
      },
      onResponse(request, reply, response) {
        const status = response.statusCode;
        count(request, status < 500 ? "answered" : "failed");
        effects.answered(request, status);
        const replaced = withoutSetup(request, status);
        if (replaced === undefined && status !== 502 && status !== 504) {
          reply.send(response.stream);
          return;
        }
        response.stream.destroy();
        for (const name of BODY_HEADERS) reply.removeHeader(name);
        // A gateway in front of the API sends its own page, which is useless to a client.
        if (replaced === undefined) sendUpstreamDown(reply);
        else reply.code(200).send(replaced);
      },
      onError(reply, { error }) {
        const { cause } = error;
        if (cause instanceof RelayError) {
          sendError(reply, cause.status, cause.code, cause.message);
          return;
        }
        effects.lost(reply.request);
        const isLate = "statusCode" in error && error.statusCode === 504;
        // A call whose caller has gone says nothing about the API.
        if (!reply.raw.destroyed) count(reply.request, isLate ? "timeout" : "refused");
        sendUpstreamDown(reply);
      },
    },
  };
  return { basePath: new URL(origin).pathname.replace(/\/+$/, ""), options, shares };
}

function sendUpstreamDown(reply: ProxiedReply): void {
  sendError(reply, 503, "upstream-down", "the farm API is unavailable");
}
