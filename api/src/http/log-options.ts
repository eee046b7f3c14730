import type { FastifyRequest, FastifyServerOptions } from "fastify";

/**
 * Log without secrets. Of a URL only the path is logged, because login carries the password in its query.
 * Headers and bodies are never logged.
 */
export const serializers = {
  req: (request: FastifyRequest) => ({
    method: request.method,
    path: request.url.split("?", 1)[0],
    // Behind a proxy the address is derived from the socket, which is gone once the client has disconnected.
    remoteAddress: request.raw.socket ? request.ip : "",
  }),
};

/** Options of this process's logger; `stream` lets tests read it. */
export function logOptions(
  level: string,
  stream?: { write(line: string): void },
): NonNullable<FastifyServerOptions["logger"]> {
  return { level, serializers, ...(stream ? { stream } : {}) };
}
