import type { IncomingMessage } from "node:http";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { addressGroup } from "@mulkko/shared/server/address-group";
import { repeat } from "@mulkko/shared/server/node-timers";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";

/** Limits of slow request bodies (SHARE-4). */
export const SLOW_BODY_LIMITS = {
  /** A body must be complete, or bring this many bytes, in every span of this length, ms. */
  windowMs: 10_000,
  windowBytes: 10_240,
  /** Upper bound of bodies per address that have been incomplete for more than a second. */
  perAddress: 32,
} as const;

/**
 * Time limits for the headers of a request, and for all of it, ms. A photo of 6 MB at 400 kbit/s takes two
 * minutes.
 */
export const REQUEST_TIMES = {
  headersTimeout: 10_000,
  requestTimeout: 150_000,
  connectionsCheckingInterval: 2_000,
} as const;

const CHECK_EVERY_MS = 1_000;

/** A request with an incomplete body. */
interface Coming {
  readonly request: FastifyRequest;
  readonly since: number;
  /** Begin of the current span, monotonic ms, and the bytes that the connection had received by then. */
  window: { readonly since: number; readonly bytes: number };
}

export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** Answer and close from outside the request's handler, which then sees that the caller has disconnected. */
function reject({ raw }: FastifyRequest, line: string): void {
  raw.socket.end(`HTTP/1.1 ${line}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  raw.destroy();
}

/** End requests with bodies that are too slow, and excess incomplete ones of one address. */
export const slowBodiesPlugin = fp<{ readonly clock: Clock; readonly timers: Timers }>(
  async (app, { clock, timers }) => {
    const coming = new Set<Coming>();

    app.addHook("onRequest", async (request) => {
      const { raw } = request;
      if (!hasBody(request) || raw.complete) return;
      const since = clock.monotonic();
      const entry: Coming = { request, since, window: { since, bytes: raw.socket.bytesRead } };
      coming.add(entry);
      const arrived = (): void => void coming.delete(entry);
      raw.once("end", arrived).once("close", arrived);
    });

    const check = (): void => {
      const now = clock.monotonic();
      const { windowMs, windowBytes, perAddress } = SLOW_BODY_LIMITS;
      const held = new Map<string, number>();
      // Oldest first: an address with too many incomplete bodies loses the newest.
      for (const entry of coming) {
        const { request, since, window } = entry;
        if (now - since < CHECK_EVERY_MS) break;
        const bytes = request.raw.socket.bytesRead;
        const isDue = now - window.since >= windowMs;
        if (isDue) entry.window = { since: now, bytes };
        if (request.raw.complete) {
          // The data has arrived and is only unread.
        } else if (isDue && bytes - window.bytes < windowBytes) {
          coming.delete(entry);
          request.log.info({ event: "slow-body-cut" }, "cut slow request body");
          reject(request, "408 Request Timeout");
        } else {
          const address = addressGroup(request.ip);
          const count = (held.get(address) ?? 0) + 1;
          held.set(address, count);
          if (count > perAddress) {
            coming.delete(entry);
            reject(request, "429 Too Many Requests");
          }
        }
      }
    };
    const timer = repeat(timers, CHECK_EVERY_MS, check);
    app.addHook("onClose", async () => timer.cancel());
  },
  { name: "slow-bodies", fastify: "5.x" },
);

/** Limits for reading and discarding a refused body before the answer. */
export const UNREAD_LIMITS = { bytes: 32 * 1024 * 1024, ms: 5_000 } as const;

/** Read and discard the body until it ends, or exceeds the limits. */
function discard(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let left = UNREAD_LIMITS.bytes;
    const finish = (): void => {
      clearTimeout(timer);
      request.off("data", count).off("end", finish).off("close", finish).off("error", finish);
      resolve();
    };
    const count = (chunk: Buffer): void => {
      left -= chunk.length;
      if (left <= 0) finish();
    };
    const timer = setTimeout(finish, UNREAD_LIMITS.ms);
    request.on("data", count).on("end", finish).on("close", finish).on("error", finish).resume();
  });
}

/**
 * Deliver a 413 to a client that is still sending. Closing a connection with unread bytes resets it, and the
 * reset overtakes the answer: the client would see a broken connection instead.
 */
export const unreadBodyPlugin = fp(
  async (app) => {
    app.addHook("onSend", async (request, reply, payload) => {
      if (reply.statusCode === 413) await discard(request.raw);
      return payload;
    });
  },
  { name: "unread-body", fastify: "5.x" },
);
