import { randomUUID } from "node:crypto";
import { type FastifyReply, type FastifyRequest, type FastifyServerOptions, LogController } from "fastify";

/** A header that names a request may go into logs and on to the API only in this form. */
const REQUEST_ID = /^[\w.-]{1,64}$/;

const SECRET_HEADERS = ["authorization", "cookie", "refreshtoken", "relaykey", "set-cookie"];
const SECRET_FIELDS = ["password", "token", "accessToken", "refreshToken", "refeshToken", "authorization"];

/** The path of a URL; its query may hold a password (the plain form of login). */
export const pathOf = (url: string): string => url.split("?", 1)[0] ?? "";

interface Described {
  type: string;
  message: string;
  stack: string;
  [field: string]: unknown;
}

/** Fields of an error that are safe to log: no URL, no request, no body that it may carry along. */
function describeError(error: unknown): Described {
  if (!(error instanceof Error)) return { type: typeof error, message: "", stack: "" };
  const { name, message, stack, cause } = error;
  const code = "code" in error ? error.code : undefined;
  return {
    type: name,
    message: withoutQueries(message),
    stack: withoutQueries(stack ?? ""),
    ...(code !== undefined && { code }),
    ...(cause instanceof Error && { cause: withoutQueries(cause.message) }),
  };
}

const withoutQueries = (text: string): string => text.replaceAll(/\?[^\s"')]+/g, "?…");

/** One line for each request, when it is done. */
class OneLineLog extends LogController {
  override incomingRequest(): void {
    // The line of the completed request says it all.
  }
  override routeNotFound(): void {
    // So does the 404 of that line; Fastify's own would quote the query.
  }
  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const fields = { req: request, res: reply, ms: Math.round(reply.elapsedTime) };
    if (error) reply.log.error({ ...fields, err: error }, "request errored");
    else reply.log.info(fields, "request completed");
  }
}

export interface LoggingOptions {
  readonly level: string;
  /** Where lines go; standard output if absent. */
  readonly stream?: { write(line: string): void };
}

/**
 * How the server logs: one JSON line each, object first; never a query string, a password or a token. A request's
 * id is taken from `X-Request-Id` where it is harmless, goes on to the API, and stands in every line as `traceId`.
 */
export function loggingOptions(options: LoggingOptions): FastifyServerOptions {
  return {
    requestIdHeader: false,
    logController: new OneLineLog({ requestIdLogLabel: "traceId" }),
    genReqId(request) {
      const given = request.headers["x-request-id"];
      return typeof given === "string" && REQUEST_ID.test(given) ? given : randomUUID();
    },
    logger: {
      level: options.level,
      ...(options.stream && { stream: options.stream }),
      serializers: {
        req: (request) => ({
          method: request.method,
          path: pathOf(request.url),
          // Worked out from the socket, which is gone once the client has hung up.
          address: request.raw.socket ? request.ip : "",
        }),
        res: (reply) => ({ status: reply.statusCode }),
        err: describeError,
        error: describeError,
      },
      redact: {
        paths: [
          ...SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
          ...SECRET_HEADERS.map((header) => `*.headers.${header}`),
        ],
        censor: "[secret]",
      },
    },
  };
}
