import type { FastifyReply } from "fastify";

/**
 * Send JSON that a browser may cache for its own user and must revalidate each time. The plugin
 * `@fastify/etag` tags it and answers 304 if it is unchanged. An incomplete answer is not cached.
 */
export function sendConditional(
  reply: FastifyReply,
  answer: object,
  { whole = true }: { whole?: boolean } = {},
): FastifyReply {
  return reply
    .header("vary", "authorization")
    .header("cache-control", whole ? "private, no-cache" : "private, no-store")
    .type("application/json")
    .send(JSON.stringify(answer));
}
