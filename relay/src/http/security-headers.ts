import helmet from "@fastify/helmet";
import { cachingOf } from "@mulkko/shared/rest/caching";
import fp from "fastify-plugin";

interface Options {
  /** Hashes of the inline scripts of the client's page. */
  readonly scriptHashes: readonly string[];
  /** Origins of the installation's own map; none for the embedded one. */
  readonly mapOrigins: readonly string[];
}

/**
 * Restrict the browser to this origin by headers on every answer that does not set its own. Emotion writes
 * styles into the page, and maps draw in workers made from blobs.
 */
export const securityHeadersPlugin = fp<Options>(
  async (app, { scriptHashes, mapOrigins }) => {
    await app.register(helmet, {
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          scriptSrc: ["'self'", ...scriptHashes],
          styleSrc: ["'self'", "'unsafe-inline'"],
          imgSrc: ["'self'", "data:", "blob:", ...mapOrigins],
          ...(mapOrigins.length > 0 && { connectSrc: ["'self'", ...mapOrigins] }),
          workerSrc: ["'self'", "blob:"],
          objectSrc: ["'none'"],
          baseUri: ["'self'"],
          formAction: ["'self'"],
          frameAncestors: ["'self'"],
        },
      },
      referrerPolicy: { policy: "same-origin" },
      // Sent below over HTTPS only (RFC 6797, 7.2).
      strictTransportSecurity: false,
    });
    app.addHook("onRequest", async (request, reply) => {
      reply.header("permissions-policy", "camera=(), microphone=(), payment=(), usb=()");
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
