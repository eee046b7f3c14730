import type { FastifyRequest, FastifyServerOptions } from "fastify";

/**
 * Logging without secrets: of a URL only its path is kept, as login carries the password in its query; headers
 * and bodies are never logged.
 */
export const serializers = {
  req: (request: FastifyRequest) => ({
    method: request.method,
    path: request.url.split("?", 1)[0],
    // Behind a proxy the address is worked out from the socket, which is gone once the client has hung up.
    remoteAddress: request.raw.socket ? request.ip : "",
  }),
};

/** The logger of this process; `stream` lets tests read it. */
export function logOptions(
  level: string,
  stream?: { write(line: string): void },
): NonNullable<FastifyServerOptions["logger"]> {
  return { level, serializers, ...(stream ? { stream } : {}) };
}
