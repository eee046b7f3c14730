import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { resolve } from "node:path";
import { parseJson } from "@mulkko/shared/schema/parse";
import { launchChromium } from "@mulkko/testing/engines/chromium";
import { freePort } from "@mulkko/testing/engines/free-port";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const DIST = resolve(import.meta.dirname, "../../web/dist");
/** Time for the installation of every page's files. */
const PATIENCE = { timeout: 60_000 };

/** Serve the built client with a page of its own, and the worker under the name of the current build. */
async function serveBuilds(): Promise<{ url: string; server: Server; release(build: string): void }> {
  const version = parseJson(
    Type.Object({ build: Type.String() }),
    await readFile(`${DIST}/version.json`, "utf8"),
  );
  if (!version.ok) throw new Error("the client is not built");
  let current = "first";
  const server = createServer(async ({ url = "/" }, response) => {
    try {
      if (url.startsWith("/worker.js")) {
        const worker = (await readFile(`${DIST}/worker.js`, "utf8"))
          .replaceAll(version.value.build, current)
          .replace(/"revision":"\w+"/, `"revision":"${current}"`);
        response.writeHead(200, { "content-type": "text/javascript" }).end(worker);
      } else if (url.startsWith("/assets/")) response.end(await readFile(DIST + url));
      else response.writeHead(200, { "content-type": "text/html" }).end(`<p>${current}</p>`);
    } catch {
      response.writeHead(404).end();
    }
  });
  const port = await freePort();
  await new Promise<void>((ready) => server.listen(port, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${port}/`,
    server,
    release(build) {
      current = build;
    },
  };
}

describe("a newer build's worker", () => {
  let builds: Awaited<ReturnType<typeof serveBuilds>>;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    [builds, browser] = await Promise.all([serveBuilds(), launchChromium()]);
    context = await browser.newContext();
    page = await context.newPage();
    await page.goto(builds.url);
    await page.evaluate(async () => {
      await caches.open("mulkko-shell-0.2");
      await navigator.serviceWorker.register("/worker.js");
      await navigator.serviceWorker.ready;
    });
  });
  afterAll(async () => {
    await browser?.close();
    builds?.server.close();
  });

  /** Ask the waiting worker to take over, as the client of a build does, and wait until it has answered. */
  const askToTakeOver = (build: string) =>
    page.evaluate(async (build) => {
      const { waiting } = await navigator.serviceWorker.ready;
      if (waiting === null) return;
      waiting.postMessage({ type: "TAKE_OVER", build });
      const { port1, port2 } = new MessageChannel();
      const answered = new Promise((resolve) => {
        port1.onmessage = resolve;
      });
      waiting.postMessage({ type: "CACHE_URLS", payload: { urlsToCache: ["/index.html"] } }, [port2]);
      await answered;
    }, build);
  const isWaiting = () => page.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null);

  it("[pwa] deletes the caches of earlier versions", async () => {
    const names = () => page.evaluate(() => caches.keys());
    // The new worker may serve the page before it has deleted them.
    await expect.poll(names, PATIENCE).not.toContain("mulkko-shell-0.2");
    expect((await names()).length).toBeGreaterThan(0);
  });

  it("[HS-4] waits while another page may need files of the previous build, and for a page of its own build", async () => {
    builds.release("second");
    const other = await context.newPage();
    await other.goto(builds.url);
    await page.reload();
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
    await expect.poll(isWaiting, PATIENCE).toBe(true);
    await askToTakeOver("second");
    expect(await isWaiting()).toBe(true);
    await other.close();
    await askToTakeOver("first");
    expect(await isWaiting()).toBe(true);
  });

  it("[pwa] takes over for the only page of its build, and serves that page without a network", async () => {
    await askToTakeOver("second");
    await expect.poll(isWaiting, PATIENCE).toBe(false);
    await context.setOffline(true);
    await page.reload();
    expect(await page.locator("p").innerText()).toBe("second");
  });

  it("[wall] never serves the page to a wall without a network", async () => {
    await expect(page.goto(`${builds.url}wall`)).rejects.toThrow("ERR_INTERNET_DISCONNECTED");
  });
});
