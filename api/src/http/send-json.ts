import type { FastifyReply } from "fastify";

/** Send a bare number or null as JSON. The server would otherwise send nothing or text. */
export function sendJson(reply: FastifyReply, value: object | number | null): FastifyReply {
  return reply.type("application/json; charset=utf-8").send(JSON.stringify(value));
}
