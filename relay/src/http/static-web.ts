import fastifyStatic from "@fastify/static";
import { relayPath } from "@mulkko/shared/rest/routes";
import fp from "fastify-plugin";
import { pathOf } from "./logging.ts";
import { sendError } from "./send-error.ts";
import type { WebBuild } from "./web-build.ts";

interface Options {
  readonly web: WebBuild;
  /** Path prefixes that are proxied to the farm API. */
  readonly proxied: readonly string[];
}

const OWN_PREFIXES = ["/relay", relayPath.socketIo, relayPath.webSocket];

/** Served from memory. */
const PAGES = ["/index.html", "/wall.html"];

const isWall = (path: string): boolean =>
  path === "/wall" || path === "/wall.html" || path.startsWith("/wall/");

/** Files with a hash of their content in their name never change under that name. */
const HASHED = /[/\\]assets[/\\]/;

/**
 * Serve the built client, compressed if the browser accepts it. Hashed files are immutable, and the page is
 * never cached. Every path of the client's router gets the page, and `/wall` its own one. Unknown paths of
 * the API and of the relay answer 404 in the contract's shape.
 */
export const staticWebPlugin = fp<Options>(
  async (app, { web, proxied }) => {
    const reserved = [...OWN_PREFIXES, ...proxied].map((prefix) => prefix.replace(/\/$/, ""));
    const isReserved = (path: string): boolean =>
      reserved.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
    const isFile = (path: string): boolean => /\.[a-z0-9]{1,11}$/i.test(path);

    if (web.directory !== null) {
      await app.register(fastifyStatic, {
        root: web.directory,
        index: false,
        // The page is served from memory, because its script hash must match the policy. A folder has no
        // listing: its path gets the page, like every other path without a file.
        allowedPath: (path) => !PAGES.includes(path) && !path.endsWith("/"),
        // The build writes a `.br` and a `.gz` beside each text file, so no request waits for compression.
        preCompressed: true,
        cacheControl: false,
        setHeaders(reply, path) {
          const forEver = HASHED.test(path);
          reply.header("cache-control", forEver ? "public, max-age=31536000, immutable" : "no-cache");
        },
      });
    }
    app.setNotFoundHandler((request, reply) => {
      const path = pathOf(request.url);
      const isPage = request.method === "GET" || request.method === "HEAD";
      if (!isPage || isReserved(path) || (isFile(path) && !PAGES.includes(path))) {
        return sendError(reply, 404, "not-found", "not found");
      }
      return reply
        .header("cache-control", "no-cache")
        .type("text/html; charset=utf-8")
        .send(isWall(path) ? web.wallPage : web.page);
    });
  },
  { name: "static-web", fastify: "5.x" },
);
