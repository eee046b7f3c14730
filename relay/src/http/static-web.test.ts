import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answersPlugin } from "./answers.ts";
import { errorsPlugin } from "./errors.ts";
import { farmCallPlugin } from "./farm-call.ts";
import { securityHeadersPlugin } from "./security-headers.ts";
import { readWebBuild, staticWebPlugin } from "./static-web.ts";

const SCRIPT = "\n  document.documentElement.className = 'dark';\n";
const PAGE = `<!doctype html><script>${SCRIPT}</script><script type="module" src="/assets/index-a1.js"></script>`;

describe("static web", () => {
  let directory: string;
  let relay: FastifyInstance;

  async function start(mapOrigins: readonly string[] = []): Promise<void> {
    const web = await readWebBuild(directory);
    relay = fastify();
    await relay.register(answersPlugin);
    await relay.register(errorsPlugin);
    await relay.register(farmCallPlugin, { imagePrefixes: ["/images"] });
    await relay.register(securityHeadersPlugin, { scriptHashes: web.scriptHashes, mapOrigins });
    await relay.register(staticWebPlugin, { web, proxied: ["/api", "/images"] });
  }
  const get = (url: string) => relay.inject({ method: "GET", url });

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "mulkko-web-"));
  });
  afterEach(async () => {
    await relay.close();
    await rm(directory, { recursive: true });
  });

  describe("built", () => {
    beforeEach(async () => {
      await mkdir(join(directory, "assets"));
      await writeFile(join(directory, "index.html"), PAGE);
      await writeFile(join(directory, "assets", "index-a1.js"), "export {};");
      await writeFile(join(directory, "icon.svg"), "<svg/>");
      await writeFile(join(directory, "version.json"), '{"build":"b1"}');
      await start();
    });

    it("[web] serves the page for every path of the client, never from a cache", async () => {
      for (const path of ["/", "/index.html", "/sensors/7/log?range=7d", "/wall"]) {
        const answer = await get(path);
        expect([answer.statusCode, answer.body, answer.headers["cache-control"]]).toEqual([
          200,
          PAGE,
          "no-cache",
        ]);
        expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
      }
    });

    it("[web] serves hashed files as immutable, and others with revalidation", async () => {
      const script = await get("/assets/index-a1.js");
      expect(script.headers).toMatchObject({
        "cache-control": "public, max-age=31536000, immutable",
        "content-type": "application/javascript; charset=utf-8",
      });
      expect((await get("/icon.svg")).headers["cache-control"]).toBe("no-cache");
      expect((await get("/version.json")).json()).toEqual({ build: "b1" });
    });

    it("[web] serves the best compression that the browser accepts, and plain text otherwise", async () => {
      const file = join(directory, "assets", "index-a1.js");
      await writeFile(`${file}.br`, "in brotli");
      await writeFile(`${file}.gz`, "in gzip");
      const ask = (accepted: string | undefined) =>
        relay.inject({
          method: "GET",
          url: "/assets/index-a1.js",
          headers: accepted === undefined ? {} : { "accept-encoding": accepted },
        });
      for (const [accepted, body, encoding] of [
        ["gzip, deflate, br, zstd", "in brotli", "br"],
        ["gzip, deflate", "in gzip", "gzip"],
        ["identity", "export {};", undefined],
        [undefined, "export {};", undefined],
      ] as const) {
        const answer = await ask(accepted);
        expect([answer.statusCode, answer.body, answer.headers["content-encoding"]]).toEqual([
          200,
          body,
          encoding,
        ]);
        expect(answer.headers).toMatchObject({
          vary: "accept-encoding",
          "cache-control": "public, max-age=31536000, immutable",
          "content-type": "application/javascript; charset=utf-8",
        });
      }
    });

    it("[web] serves files without a compressed version as they are, and compresses no page by mistake", async () => {
      const headers = { "accept-encoding": "gzip, br" };
      const icon = await relay.inject({ method: "GET", url: "/icon.svg", headers });
      expect([icon.statusCode, icon.body, icon.headers["content-encoding"]]).toEqual([
        200,
        "<svg/>",
        undefined,
      ]);
      await writeFile(join(directory, "index.html.br"), "another page");
      const page = await relay.inject({ method: "GET", url: "/index.html", headers });
      expect([page.body, page.headers["content-encoding"]]).toEqual([PAGE, undefined]);
      for (const url of ["/assets/gone-a2.js", "/assets/", "/assets/x"])
        expect((await relay.inject({ method: "GET", url, headers })).statusCode).toBe(404);
    });

    it("[HS-4] knows its build", async () => {
      expect(await readWebBuild(directory)).toMatchObject({ build: "b1", directory });
    });

    it.each([
      "/api/v1/nothing",
      "/relay/nothing",
      "/images/x",
      "/assets/gone-a2.js",
      "/assets/",
      "/socket.io/?EIO=4",
    ])("[web] %s is 404 in the contract's shape, not the page", async (path) => {
      const answer = await get(path);
      expect([answer.statusCode, answer.json()]).toEqual([
        404,
        { status: 404, error: "Not Found", code: "not-found", message: "not found" },
      ]);
    });

    it("[web] a write to an unknown path is 404 as well", async () => {
      expect((await relay.inject({ method: "POST", url: "/sensors" })).statusCode).toBe(404);
    });

    it("[web] files outside the folder are inaccessible", async () => {
      await writeFile(join(directory, "..", "mulkko-secret.txt"), "secret");
      for (const path of [
        "/../mulkko-secret.txt",
        "/%2e%2e/mulkko-secret.txt",
        "/assets/..%2f..%2fmulkko-secret.txt",
      ]) {
        expect((await get(path)).body).not.toContain("secret\n");
        expect((await get(path)).body).not.toBe("secret");
      }
      await rm(join(directory, "..", "mulkko-secret.txt"));
    });

    it("[web] the policy contains the hash of the inline script and nothing looser", async () => {
      const hash = createHash("sha256").update(SCRIPT).digest("base64");
      const policy = String((await get("/")).headers["content-security-policy"]);
      expect(policy.split(";")).toEqual([
        "default-src 'self'",
        `script-src 'self' 'sha256-${hash}'`,
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'self'",
      ]);
      expect((await get("/api/nothing")).headers["x-content-type-options"]).toBe("nosniff");
    });
  });

  it("[web] an installation's own map is loaded from its origins only", async () => {
    await start(["https://maps.example", "https://tiles.example:8443"]);
    const policy = String((await get("/")).headers["content-security-policy"]).split(";");
    expect(policy).toContain("connect-src 'self' https://maps.example https://tiles.example:8443");
    expect(policy).toContain("img-src 'self' data: blob: https://maps.example https://tiles.example:8443");
    expect(policy.filter((directive) => directive.includes("example"))).toHaveLength(2);
  });

  it("[web] explains in three languages what to do if the client is not built", async () => {
    await start();
    const answer = await get("/");
    expect(answer.statusCode).toBe(200);
    for (const word of ["빌드", "built", "构建", "pnpm build"]) expect(answer.body).toContain(word);
    expect((await get("/api/nothing")).statusCode).toBe(404);
  });
});
