import { mostTolerantReading, partsOf } from "@mulkko/shared/rest/operations/normal-path";
import { type FarmCall, matchCall } from "@mulkko/shared/rest/operations/table";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { RelayError } from "./relay-error.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The call of the farm API that the request is; null for a request to another path. */
    farmCall: FarmCall | null;
  }
}

const API = "api";

/** True for a path that some server may read as one below a prefix. */
function isNear(target: string, prefixes: readonly string[]): boolean {
  const path = mostTolerantReading(target);
  return prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
}

/**
 * Match each request with its call, once and before anything else looks at it (PATH-1): every limit, check and
 * consequence is decided by that match. A path with another spelling is 404, because the farm API, or a server
 * in front of it, could read it as a call that the relay took for none.
 */
export const farmCallPlugin = fp<{ readonly imagePrefixes: readonly string[] }>(
  async (app, { imagePrefixes }) => {
    const guarded = [`/${API}`, "/relay", ...imagePrefixes.map((prefix) => prefix.toLowerCase())];
    app.decorateRequest("farmCall", null);
    app.addHook("onRequest", async (request) => {
      const parts = partsOf(request.url);
      if (parts === null) {
        // Elsewhere a slash at the end decides nothing: pages of the client, `/socket.io/`.
        if (isNear(request.url, guarded)) throw notFound(request);
        return;
      }
      if (parts[0] !== API) return;
      request.farmCall = matchCall(request.method, request.url);
      if (request.farmCall === null) throw notFound(request);
    });
  },
  { name: "farm-call", fastify: "5.x", dependencies: ["errors"] },
);

function notFound(request: FastifyRequest): RelayError {
  request.log.debug({ event: "path-refused" }, "refused path that is not in normal form");
  return new RelayError(404, "not-found", "no such path; a path has one spelling");
}
