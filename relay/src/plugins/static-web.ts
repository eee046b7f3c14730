import fastifyStatic from "@fastify/static";
import { relayPath } from "@mulkko/shared/rest/routes";
import fp from "fastify-plugin";
import { pathOf } from "./logging.ts";
import { sendError } from "./send-error.ts";
import type { WebBuild } from "./web-build.ts";

interface Options {
  readonly web: WebBuild;
  /** Path prefixes that are passed on to the farm API. */
  readonly proxied: readonly string[];
}

const OWN_PREFIXES = ["/relay", relayPath.socketIo, relayPath.webSocket];

/** Served from memory. */
const PAGES = ["/index.html", "/wall.html"];

const isWall = (path: string): boolean =>
  path === "/wall" || path === "/wall.html" || path.startsWith("/wall/");

/** Files whose name holds a hash of their content never change under that name. */
const HASHED = /[/\\]assets[/\\]/;

/**
 * Serves the built client, compressed where the browser takes it: hashed files for ever, the page itself never from a cache, and the page for every path
 * that only the client's router knows, the wall's own for `/wall`. Paths of the API and of the relay answer 404 in the contract's shape.
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
        // The page is served from memory: it must be the one whose script hash the policy names.
        // A folder has no listing: its path is the page's, like every other that no file has.
        allowedPath: (path) => !PAGES.includes(path) && !path.endsWith("/"),
        // The build leaves a `.br` and a `.gz` beside each text: nothing is compressed while somebody waits.
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
        return sendError(reply, 404, "not-found", "nothing here");
      }
      return reply
        .header("cache-control", "no-cache")
        .type("text/html; charset=utf-8")
        .send(isWall(path) ? web.wallPage : web.page);
    });
  },
  { name: "static-web", fastify: "5.x" },
);
