import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import compress from "@fastify/compress";
import formbody from "@fastify/formbody";
import helmet from "@fastify/helmet";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { cachingOf } from "@mulkko/shared/rest/caching";
import { partsOf } from "@mulkko/shared/rest/operations/normal-path";
import { OPERATIONS } from "@mulkko/shared/rest/operations/table";
import { AllowedMethods } from "@mulkko/shared/server/allowed-methods";
import { COMPRESSION, mayCompress } from "@mulkko/shared/server/compression";
import { endConnections } from "@mulkko/shared/server/end-connections";
import { isListeningText } from "@mulkko/shared/server/run-server";
import { type ValueFault, valueFault } from "@mulkko/shared/server/value-fault";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
  type RawServerDefault,
} from "fastify";
import { ApiError } from "./api-error.ts";
import { errorBody } from "./errors.ts";

/** Send a bare number or null as JSON. The server would otherwise send nothing or text. */
export function sendJson(reply: FastifyReply, value: object | number | null): FastifyReply {
  return reply.type("application/json; charset=utf-8").send(JSON.stringify(value));
}

/**
 * Log without secrets. Of a URL only the path is logged, because login carries the password in its query.
 * Headers and bodies are never logged.
 */
const serializers = {
  req: (request: FastifyRequest) => ({
    method: request.method,
    path: request.url.split("?", 1)[0],
    // Behind a proxy the address is derived from the socket, which is gone once the client has disconnected.
    remoteAddress: request.raw.socket ? request.ip : "",
  }),
};

/** Options of this process's logger; `stream` lets tests read it. */
function logOptions(
  level: string,
  stream?: { write(line: string): void },
): NonNullable<FastifyServerOptions["logger"]> {
  return {
    level,
    serializers,
    hooks: {
      logMethod(args, method) {
        const [text] = args;
        if (isListeningText(text)) method.call(this, { event: "listening" }, text);
        else method.apply(this, args);
      },
    },
    ...(stream ? { stream } : {}),
  };
}

declare module "fastify" {
  interface FastifyInstance {
    allowedMethods: AllowedMethods;
  }
}

const SECRET_PATHS = new Set<string>(OPERATIONS.filter(({ secret }) => secret).map(({ path }) => path));

/** Largest request body, bytes. */
export const BODY_LIMIT = 256 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
/** The first start creates a database and the demo's history, even on a slow machine. */
const START_TIMEOUT_MS = 180_000;

/** The URL of a call may contain the ids of 500 sensors, bytes. */
const HEADER_LIMIT = 32_768;

/** Time for running calls when the process stops, ms; a stalled download would delay it. */
const CLOSE_WITHIN_MS = 5_000;

/** The server with typed, validated routes. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/**
 * Create a server without routes. A path that is not in normal form is unknown. Bodies are JSON or form, numbers in forms and queries are parsed, and all
 * errors of a body are reported.
 */
export function createServer(options: {
  readonly logLevel: string;
  readonly logStream: { write(line: string): void } | undefined;
  readonly trustedProxies: string;
}): App {
  const app = Fastify({
    logger: logOptions(options.logLevel, options.logStream),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "traceId" }),
    pluginTimeout: START_TIMEOUT_MS,
    bodyLimit: BODY_LIMIT,
    http: { maxHeaderSize: HEADER_LIMIT },
    requestTimeout: REQUEST_TIMEOUT_MS,
    trustProxy: options.trustedProxies.split(",").map((entry) => entry.trim()),
    // The relay's trace id appears in both logs; an invalid id is not repeated.
    genReqId: (raw) => {
      const given = raw.headers["x-request-id"];
      return typeof given === "string" && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
    },
    ajv: { customOptions: { allErrors: true, coerceTypes: true, removeAdditional: false } },
    // URLs that the router cannot parse never reach the error handler.
    frameworkErrors: (_error, _request, reply) => {
      const body = JSON.stringify(errorBody(400, "malformed", "the address cannot be read"));
      reply.raw.writeHead(400, { "content-type": "application/json; charset=utf-8" }).end(body);
    },
    routerOptions: { maxParamLength: 200 },
  }).withTypeProvider<TypeBoxTypeProvider>();
  // Send answers unchanged: a serializer made from their schema would drop the fields of a device's own type.
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer));
  void app.register(formbody, { bodyLimit: BODY_LIMIT });
  // A path has one spelling: the router itself would read `list/` as `list/:deviceType` without a value.
  app.addHook("onRequest", async ({ originalUrl }) => {
    if (partsOf(originalUrl) === null) throw new ApiError(404, "not-found", "no such endpoint");
  });
  const refuse = (fault: ValueFault | null): void => {
    if (fault?.kind === "too-deep") throw new ApiError(400, "malformed", "the body has too many levels");
    if (fault) throw new ApiError(422, "validation", `${fault.field} is too large`, { field: fault.field });
  };
  // Whatever else is wrong with such a body. A query has its numbers after the validation.
  app.addHook("preValidation", async ({ body }) => refuse(valueFault(body)));
  app.addHook("preHandler", async ({ query }) => refuse(valueFault(query)));
  app.addHook("onResponse", async (request, reply) => {
    const seen = { req: request, status: reply.statusCode, ms: Math.round(reply.elapsedTime) };
    request.log.debug({ event: "request", ...seen }, "request");
  });
  // No answer is a page. The image route sets its own policy.
  app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    referrerPolicy: { policy: "no-referrer" },
    strictTransportSecurity: false,
  });
  app.addHook("onSend", async ({ headers, method, routeOptions }, reply) => {
    const isSecret = SECRET_PATHS.has(routeOptions.url ?? "");
    if (!mayCompress(method, reply.getHeader("content-type"), isSecret)) headers["x-no-compression"] = "1";
  });
  void app.register(compress, { ...COMPRESSION, encodings: [...COMPRESSION.encodings] });
  // Bodies are JSON, forms, and what a route names itself: anything else is 415.
  app.removeContentTypeParser("text/plain");
  const methods = new AllowedMethods();
  app.addHook("onRoute", ({ method, url }) => methods.add(method, url));
  app.decorate("allowedMethods", methods);
  app.addHook("onSend", async (request, reply) => {
    if (!reply.hasHeader("cache-control")) reply.header("cache-control", cachingOf(request.method));
  });
  let ended = (): void => undefined;
  app.addHook("preClose", async () => {
    ended = endConnections(app.server, CLOSE_WITHIN_MS);
  });
  app.addHook("onClose", async () => ended());
  return app;
}
