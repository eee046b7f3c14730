import type { FastifyReply } from "fastify";

/** Sends a bare number or null as JSON, which the server would otherwise send as nothing or as text. */
export function sendJson(reply: FastifyReply, value: object | number | null): FastifyReply {
  return reply.type("application/json; charset=utf-8").send(JSON.stringify(value));
}
