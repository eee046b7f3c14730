import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import { relayPath } from "@mulkko/shared/rest/routes";
import { parseJson } from "@mulkko/shared/schema/parse";
import fp from "fastify-plugin";
import { Type } from "typebox";
import { pathOf } from "./logging.ts";
import { sendError } from "./relay-error.ts";

/** The built web client, as on disk when the relay started. */
export interface WebBuild {
  /** Folder of its files; null if it is not built. */
  readonly directory: string | null;
  /** The page, served for every path of the client. */
  readonly page: string;
  /** The wall's page, served for `/wall` and paths below it; the normal page if there is none. */
  readonly wallPage: string;
  /** Id of the build (HS-4); `none` without a build. */
  readonly build: string;
  readonly scriptHashes: readonly string[];
}

const Version = Type.Object({ build: Type.String({ minLength: 1, maxLength: 64 }) });

/** Return `'sha256-…'` of every inline script of a page, in order. Scripts with `src` are skipped. */
function inlineScriptHashes(html: string): string[] {
  const scripts = html.matchAll(/<script(?![^>]*\ssrc\s*=)[^>]*>([\s\S]*?)<\/script>/gi);
  return [...scripts].map(
    ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
  );
}

const NOT_BUILT = `<!doctype html>
<html lang="ko"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mulkko</title>
<style>body{font:16px/1.6 sans-serif;max-width:36rem;margin:15vh auto;padding:0 1.5rem;color:#14191c;background:#eef1f2}
code{background:#dfe5e7;padding:.1em .4em;border-radius:.3em}</style></head>
<body><h1>물꼬 Mulkko</h1>
<p>릴레이는 실행 중이지만 화면이 아직 빌드되지 않았습니다. <code>pnpm build</code>를 실행한 뒤 다시 시작해 주세요.</p>
<p lang="en">The relay is running, but the web client has not been built. Run <code>pnpm build</code> and start again.</p>
<p lang="zh">中继正在运行，但网页尚未构建。请运行 <code>pnpm build</code> 后重新启动。</p></body></html>
`;

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** @param directory the web client's `dist` */
export async function readWebBuild(directory: string): Promise<WebBuild> {
  const page = await readIfThere(join(directory, "index.html"));
  if (page === null)
    return { directory: null, page: NOT_BUILT, wallPage: NOT_BUILT, build: "none", scriptHashes: [] };
  const wallPage = (await readIfThere(join(directory, "wall.html"))) ?? page;
  const version = parseJson(Version, (await readIfThere(join(directory, "version.json"))) ?? "");
  return {
    directory,
    page,
    wallPage,
    build: version.ok ? version.value.build : "unknown",
    scriptHashes: [...new Set([page, wallPage].flatMap(inlineScriptHashes))],
  };
}

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
    // A folder of files is no page.
    const isAsset = (path: string): boolean => path.startsWith("/assets/");
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
      const allowed = app.allowedMethods.of(path);
      if (allowed.length > 0)
        return sendError(
          reply.header("allow", allowed.join(", ")),
          405,
          "malformed",
          "not a method of this path",
        );
      const isPage = request.method === "GET" || request.method === "HEAD";
      if (!isPage || isReserved(path) || isAsset(path) || (isFile(path) && !PAGES.includes(path))) {
        return sendError(reply, 404, "not-found", "not found");
      }
      return reply
        .header("cache-control", "no-cache")
        .type("text/html; charset=utf-8")
        .send(isWall(path) ? web.wallPage : web.page);
    });
  },
  { name: "static-web", fastify: "5.x", dependencies: ["answers"] },
);
