import { launchChromium } from "@mulkko/testing/engines/chromium";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { newVisitor } from "@mulkko/testing/stack/visitor";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signInOnPage } from "../pages/login.ts";
import { wordsOf } from "../pages/words.ts";

/** A start on a busy machine, and the page's own wait before it stores the first reading. */
const PATIENCE = { timeout: 60_000 };

const say = wordsOf("ko-KR");

const keptValues = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open("mulkko", 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore("kept");
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const asking = opening.result.transaction("kept").objectStore("kept").get("farm");
          asking.onsuccess = () => {
            opening.result.close();
            const kept: unknown = asking.result;
            const values = typeof kept === "object" && kept !== null && "values" in kept ? kept.values : {};
            resolve(Object.keys(Object(values)).length);
          };
        };
      }),
  );

describe("a start without a network", () => {
  let stack: Stack;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack(), launchChromium()]);
    context = await newVisitor(
      browser,
      { viewport: "phone", locale: "ko-KR", colorScheme: "light" },
      { serviceWorkers: "allow" },
    );
    page = await context.newPage();
    await signInOnPage(page, stack.url, "farmer");
    await page.locator("main [data-quality=fresh]").first().waitFor();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  it("[pwa] stores the shown data", async () => {
    await expect.poll(() => keptValues(page), PATIENCE).toBeGreaterThan(0);
  });

  const storedPaths = (): Promise<string[]> =>
    page.evaluate(async () => {
      const names = await caches.keys();
      const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return requests.flat().map(({ url }) => new URL(url).pathname);
    });
  const missingOf = async (parts: readonly string[]): Promise<string[]> => {
    const stored = await storedPaths();
    return parts.filter((part) => !stored.some((path) => path.startsWith(part)));
  };

  it("[UI-6] has the page, irrigation and the valves' panel as soon as the worker is there", async () => {
    expect(await missingOf(["/index.html", "/assets/IrrigationPage-", "/assets/PanelPage-"])).toEqual([]);
    const styles = (await storedPaths()).filter((path) => /^\/assets\/PanelPage-.*\.css$/.test(path));
    expect(styles.length).toBeGreaterThan(0);
  });

  it("[pwa] stores every page of the farmer without opening them, and neither the wall nor any answer", async () => {
    const parts = ["/assets/SensorLogPage-", "/assets/AlarmBoard-", "/assets/maplibre-gl-worker-"];
    await expect.poll(() => missingOf(parts), PATIENCE).toEqual([]);
    const files = await page.evaluate(async () => {
      const worker = await (await fetch("/worker.js")).text();
      return [...worker.matchAll(/"url":"(assets\/[^"]+)"/g)].map(([, url]) => `/${url}`);
    });
    await expect.poll(() => missingOf(files), PATIENCE).toEqual([]);
    const stored = await storedPaths();
    // The texts of each language.
    expect(stored.filter((path) => /^\/assets\/app-[^.]+\.json$/.test(path))).toHaveLength(3);
    expect(stored.filter((path) => /^\/assets\/wall-.{8}\.\w+$/.test(path))).toEqual([]);
    expect(stored.filter((path) => !/^\/(?:index\.html$|assets\/|images\/)/.test(path))).toEqual([]);
  });

  it("[pwa] shows the farm as it was, calls nothing live, and says so", async () => {
    await page.close();
    await context.setOffline(true);
    page = await context.newPage();
    await page.goto(`${stack.url}/dashboard`);
    await page.getByText("실시간 연결이 끊겼습니다").first().waitFor(PATIENCE);
    await page.locator("h1").first().waitFor({ state: "attached" });
    await page.locator("main [data-quality=unknown]").first().waitFor(PATIENCE);
    expect(await page.locator("main [data-quality=fresh]").count()).toBe(0);
    expect(await page.getByTestId("page").getAttribute("data-live")).toBe("false");
  });

  it("[pwa] opens every page of the farmer, with its readings and their ages", async () => {
    const sensor = await page.locator('main a[href*="/sensors/type?"]').first().getAttribute("href");
    for (const place of ["/irrigation", "/sensors", sensor ?? "/sensors/type", "/maps", "/alarms"]) {
      await page.goto(stack.url + place);
      await page
        .locator("main h1")
        .first()
        .waitFor({ state: "attached", ...PATIENCE });
      const instead = page.getByRole("button", { name: say("shell:notFound.home") });
      expect(await instead.count(), place).toBe(0);
      expect(await page.getByTestId("alarm-strip-space").count(), place).toBe(0);
    }
    await page.goto(`${stack.url}/sensors`);
    await page.locator("main [data-quality=unknown]").first().waitFor(PATIENCE);
    await page.goto(`${stack.url}/dashboard`);
    await page.locator("main [data-quality=unknown]").first().waitFor(PATIENCE);
  });

  it("[pwa] is live again by itself once a network is available", async () => {
    await context.setOffline(false);
    await page.locator("main [data-quality=fresh]").first().waitFor(PATIENCE);
    await expect.poll(() => page.getByTestId("page").getAttribute("data-live")).toBe("true");
  });

  it("[pwa] leaves nothing of the farm in the browser after the logout", async () => {
    await page.goto(`${stack.url}/logout`);
    await page.waitForURL("**/login");
    await expect.poll(() => keptValues(page), PATIENCE).toBe(0);
  });
});
