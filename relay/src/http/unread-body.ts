import type { IncomingMessage } from "node:http";
import fp from "fastify-plugin";

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
