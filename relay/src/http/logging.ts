import { randomUUID } from "node:crypto";
import { isListeningText } from "@mulkko/shared/server/run-server";
import { type FastifyReply, type FastifyRequest, type FastifyServerOptions, LogController } from "fastify";

/** Format of request ids that are safe for logs and for the API. */
const REQUEST_ID = /^[\w.-]{1,64}$/;

const SECRET_HEADERS = ["authorization", "cookie", "refreshtoken", "relaykey", "set-cookie"];
const SECRET_FIELDS = ["password", "token", "accessToken", "refreshToken", "refeshToken", "authorization"];

/** Return the path of a URL; its query may hold a password (the plain form of login). */
export const pathOf = (url: string): string => url.split("?", 1)[0] ?? "";

interface Described {
  type: string;
  message: string;
  stack: string;
  [field: string]: unknown;
}

/** Return the fields of an error that are safe to log: no URL, request or body. */
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

/** Logs one line for each request, when it is complete. */
class OneLineLog extends LogController {
  override incomingRequest(): void {
    // The line of the completed request contains everything.
  }
  override routeNotFound(): void {
    // That line contains the 404 too; Fastify's own would include the query.
  }
  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const fields = { req: request, res: reply, ms: Math.round(reply.elapsedTime) };
    if (error) reply.log.error({ ...fields, event: "request-errored", err: error }, "request errored");
    else reply.log.info({ ...fields, event: "request-completed" }, "request completed");
  }
}

export interface LoggingOptions {
  readonly level: string;
  /** Destination of the lines; default: standard output. */
  readonly stream?: { write(line: string): void };
}

/**
 * Return the server's logging options: one JSON line each, object first, never with a query string, password
 * or token. A request's id comes from a safe `X-Request-Id`. It is passed on to the API, and logged in every
 * line as `traceId`.
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
      hooks: {
        logMethod(args, method) {
          const [text] = args;
          if (isListeningText(text)) method.call(this, { event: "listening" }, text);
          else method.apply(this, args);
        },
      },
      ...(options.stream && { stream: options.stream }),
      serializers: {
        req: (request) => ({
          method: request.method,
          path: pathOf(request.url),
          // Derived from the socket, which is gone once the client has disconnected.
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
