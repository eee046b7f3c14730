import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize, resolve } from "node:path";
import { promisify } from "node:util";

const WEB = resolve(import.meta.dirname, "../../web");
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** The pages of the benchmarks, built like the client and served at an address of their own. */
export interface BenchPage {
  readonly url: string;
  close(): Promise<void>;
}

/** @throws Error when Vite cannot build them */
export async function serveBenchPage(): Promise<BenchPage> {
  const folder = await mkdtemp(join(tmpdir(), "mulkko-bench-"));
  await promisify(execFile)(
    process.execPath,
    ["node_modules/vite/bin/vite.js", "build", "--config", "bench.config.ts", "--outDir", folder],
    { cwd: WEB },
  );
  const server = createServer(async ({ url = "/" }, response) => {
    const path = normalize(new URL(url, "http://bench").pathname);
    try {
      const body = await readFile(join(folder, path));
      response
        .writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" })
        .end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the bench page has no port");
  return {
    url: `http://127.0.0.1:${address.port}/bench.html`,
    async close() {
      await new Promise((closed) => server.close(closed));
      await rm(folder, { recursive: true });
    },
  };
}
