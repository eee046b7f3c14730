import type { FastifyHttpProxyOptions } from "@fastify/http-proxy";
import type { Clock } from "@mulkko/shared/rules/clock";
import { RelayError } from "../plugins/relay-error.ts";
import { sendError } from "../plugins/send-error.ts";
import type { Metrics, UpstreamOutcome } from "../ports/metrics.ts";

type ReplyOptions = NonNullable<FastifyHttpProxyOptions["replyOptions"]>;
type Hook<Name extends "onResponse" | "onError"> = Parameters<NonNullable<ReplyOptions[Name]>>;
type ProxiedReply = Hook<"onError">[0];

/** A request as the hooks of the proxy see it. */
export type ProxiedRequest = Hook<"onResponse">[0];

interface Parts {
  readonly origin: string;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** The API has answered with this status, below 500 or not. */
  readonly onAnswer: (request: ProxiedRequest, status: number) => void;
}

/** ms until the API must have begun to answer, and at most between two pieces of an answer. */
const HEADERS_TIMEOUT_MS = 30_000;
const BODY_TIMEOUT_MS = 60_000;
const CONNECTIONS = 128;

/** Said by a client, these would be believed by the API. */
const FORWARDING = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/** Between the client and us alone; the HTTP client to the API refuses a request that bears some of them. */
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
const NOT_PASSED = new Set([...FORWARDING, ...HOP_BY_HOP]);

const BODY_HEADERS = ["content-length", "content-type", "content-encoding", "transfer-encoding"];

/** From where a request comes, as we know it. */
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

/** What all proxied paths have in common. */
export function proxyOptions(parts: Parts): FastifyHttpProxyOptions & { replyOptions: ReplyOptions } {
  const { origin, clock, metrics, onAnswer } = parts;
  const startedAt = new WeakMap<object, number>();

  function count(request: object, outcome: UpstreamOutcome): void {
    const now = clock.monotonic();
    metrics.upstreamCall("proxy", outcome, now - (startedAt.get(request) ?? now));
  }

  return {
    upstream: origin,
    disableRequestLogging: true,
    undici: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      bodyTimeout: BODY_TIMEOUT_MS,
      connections: CONNECTIONS,
    },
    replyOptions: {
      // Not `maxRetriesOn503: 0`, which counts as unset: nothing is ever sent to the API twice.
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
        onAnswer(request, status);
        if (status !== 502 && status !== 504) {
          reply.send(response.stream);
          return;
        }
        // A gateway in front of the API speaks for itself; its page is nothing for a client.
        response.stream.destroy();
        for (const name of BODY_HEADERS) reply.removeHeader(name);
        sendUpstreamDown(reply);
      },
      onError(reply, { error }) {
        const { cause } = error;
        if (cause instanceof RelayError) {
          sendError(reply, cause.status, cause.code, cause.message);
          return;
        }
        const isLate = "statusCode" in error && error.statusCode === 504;
        count(reply.request, isLate ? "timeout" : "refused");
        sendUpstreamDown(reply);
      },
    },
  };
}

function sendUpstreamDown(reply: ProxiedReply): void {
  sendError(reply, 503, "upstream-down", "the farm API cannot be reached");
}
