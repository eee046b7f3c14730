import type { FastifyReply, FastifyRequest } from "fastify";
import { entityTag, namesTag } from "./entity-tag.ts";

/**
 * Send JSON that a browser may cache for its own user and must revalidate each time: 304 without a body if
 * it is unchanged. An incomplete answer is not cached.
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
