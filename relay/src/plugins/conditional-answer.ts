import type { FastifyReply, FastifyRequest } from "fastify";
import { entityTag, namesTag } from "./entity-tag.ts";

/**
 * Sends JSON that a browser may keep for its own user and has to ask about each time: 304 without a body where it
 * has the same already. An answer that is not whole yet is not kept.
 */
export function sendConditional(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: object,
  { whole = true }: { whole?: boolean } = {},
): FastifyReply {
  const text = JSON.stringify(answer);
  void reply.header("vary", "authorization");
  if (!whole) return reply.header("cache-control", "private, no-store").type("application/json").send(text);
  const tag = entityTag(text);
  void reply.header("cache-control", "private, no-cache").header("etag", tag);
  if (namesTag(request.headers["if-none-match"], tag)) return reply.code(304).send();
  return reply.type("application/json").send(text);
}
