import { cachingOf } from "@mulkko/shared/rest/caching";
import fp from "fastify-plugin";
import { contentSecurityPolicy } from "./content-security.ts";

interface Options {
  /** Hashes of the inline scripts of the client's page. */
  readonly scriptHashes: readonly string[];
  /** Origins of the installation's own map. */
  readonly mapOrigins: readonly string[];
}

/** Restrict the browser to this origin by headers on every answer that does not set its own. */
export const securityHeadersPlugin = fp<Options>(
  async (app, { scriptHashes, mapOrigins }) => {
    const headers = {
      "content-security-policy": contentSecurityPolicy(scriptHashes, mapOrigins),
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "permissions-policy": "camera=(), microphone=(), payment=(), usb=()",
    };
    app.addHook("onRequest", async (request, reply) => {
      reply.headers(headers);
      if (request.protocol === "https") {
        reply.header("strict-transport-security", "max-age=31536000");
      }
    });
    // Also keeps a farm API's answers without cache headers out of shared caches.
    app.addHook("onSend", async ({ method, url }, reply) => {
      const isPersonal = url.startsWith("/api/") || url.startsWith("/relay/");
      if (isPersonal && !reply.hasHeader("cache-control")) reply.header("cache-control", cachingOf(method));
    });
  },
  { name: "security-headers", fastify: "5.x" },
);
