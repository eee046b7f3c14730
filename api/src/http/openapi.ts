import swagger from "@fastify/swagger";
import { ErrorBody } from "@mulkko/shared/rest/errors";
import { openApi } from "@mulkko/shared/rest/operations/account";
import type { FastifySchema, RouteOptions } from "fastify";
import fp from "fastify-plugin";
import type { TSchema } from "typebox";
import { routeOf } from "./operation-route.ts";
import type { App } from "./server.ts";

/** URLs for monitoring this process, and that of the document; they are not in the document. */
const HIDDEN: readonly string[] = ["/health", "/ready", "/metrics", openApi.path];

/** Errors that any call may answer beside its own schema. */
const anyError = {
  description: "An error: 400, 401, 403, 404, 409, 413, 422, 429 or 503, as the code says",
  content: { "application/json": { schema: ErrorBody } },
};

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * Documentation beyond the schema: a body that the handler parses itself, or an answer whose fields
     * depend on a device's type. No serializer is made for it.
     */
    readonly documented?: {
      readonly body?: TSchema;
      readonly consumes?: readonly string[];
      readonly answer?: TSchema;
    };
  }
}

/** Every body may have either format. */
const EITHER_FORM = ["application/json", "application/x-www-form-urlencoded"];

/** Return an id such as `get-api-v1-sensor-read-id`. */
const operationIdOf = (method: string, url: string): string =>
  `${method}${url.replace(/[^\w]+/g, "-")}`.toLowerCase().replace(/-+$/, "");

/** Name the operations: a route of several methods is several operations. */
function nameOperations(paths: Readonly<Record<string, object | undefined>> = {}): void {
  for (const [url, item = {}] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (typeof operation === "object" && operation !== null) {
        // The methods of one route share one object.
        Reflect.set(item, method, { ...operation, operationId: operationIdOf(method, url) });
      }
    }
  }
}

const hooksOf = ({ onRequest }: RouteOptions): unknown[] => [onRequest ?? []].flat();

function schemaOf(
  { schema = {}, url, route }: { schema?: FastifySchema; url: string; route: RouteOptions },
  authenticates: (hook: unknown) => boolean,
): { schema: FastifySchema; url: string } {
  if (HIDDEN.includes(url)) return { schema: { ...schema, hide: true }, url };
  const needsToken = hooksOf(route).some(authenticates);
  const documented = route.config?.documented;
  const answer = documented?.answer ? { 200: documented.answer } : {};
  const response = {
    default: anyError,
    ...answer,
    ...(typeof schema.response === "object" ? schema.response : {}),
  };
  return {
    url,
    schema: {
      ...schema,
      ...(documented?.body ? { body: documented.body } : {}),
      consumes: documented?.consumes ?? EITHER_FORM,
      response,
      ...(needsToken ? { security: [{ bearer: [] }] } : { security: [] }),
    },
  };
}

/**
 * Generate the contract as an OpenAPI document from the schemas that validate the calls. Register it before
 * all routes.
 */
export const openapiPlugin = fp(
  async (app: App) => {
    // The hooks are decorated after this plugin, and read when the document is generated.
    const authenticates = (hook: unknown): boolean =>
      [app.authenticate, app.authenticateAdmin, app.authenticateAdminPerson].some((one) => one === hook);
    await app.register(swagger, {
      openapi: {
        openapi: "3.1.0",
        info: {
          title: "Mulkko farm API",
          version: "1",
          description:
            "Times named createdDate are in the farm's zone, without one: YYYY-MM-DD HH:mm:ss. Bodies may be JSON or forms.",
        },
        components: {
          securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
        },
      },
      transform: (parts) => schemaOf(parts, authenticates),
      transformObject(made) {
        if (!("openapiObject" in made)) return made.swaggerObject;
        nameOperations(made.openapiObject.paths);
        return made.openapiObject;
      },
    });
    app.route({ ...routeOf(openApi, { hide: true }), handler: () => app.swagger() });
  },
  { name: "openapi", dependencies: ["errors"] },
);
