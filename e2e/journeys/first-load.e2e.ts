import { gzipSync } from "node:zlib";
import { topic } from "@mulkko/shared/mqtt/topics";
import { refreshTokenOf, TokenPair } from "@mulkko/shared/rest/account";
import { sensorAdd } from "@mulkko/shared/rest/operations/sensors";
import { AddedSensor } from "@mulkko/shared/rest/sensor";
import { launchChromium } from "@mulkko/testing/engines/chromium";
import { mosquittoPub } from "@mulkko/testing/engines/mosquitto-pub";
import { DEMO_PASSWORD, login, read, signIn } from "@mulkko/testing/stack/account";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { newVisitor } from "@mulkko/testing/stack/visitor";
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wordsOf } from "../pages/words.ts";

/** JavaScript before the dashboard works, bytes of gzip. */
const BUDGET = 260_000;

/** Large chunks that only some pages need. */
const LAZY = /^(maplibre|deck|luma|xlsx|chart|toast-region)/i;

/** A sensor that this journey adds: nothing else publishes as it, so that its alarm stays active. */
const SERIAL = 25_100_001;

/** Chunks of the first toast; on a farm an event may happen at any moment. */
const TOAST = /toast-region|EventToast/;
const VISITS = 4;

/** A requested script and its size. */
interface Script {
  readonly name: string;
  readonly raw: number;
  readonly gzip: number;
}

/** A shift of a page's layout: its share of the screen, and what moved. */
interface Shift {
  readonly value: number;
  readonly moved: string;
}

/** Chromium's report of a shift; TypeScript's DOM does not have it. */
interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }[];
}

const VISITOR = { viewport: "phone", locale: "ko-KR", colorScheme: "light" } as const;
const say = wordsOf(VISITOR.locale);

describe("the first load", () => {
  let stack: Stack;
  let browser: Browser;
  let context: BrowserContext;
  /** Paths of the scripts that a phone requests until the dashboard is complete. */
  let asked: string[];
  let scripts: Script[];

  const scriptsOfOneVisit = async (): Promise<string[]> => {
    const page = await context.newPage();
    await page.goto(`${stack.url}/dashboard`);
    // Of any age: a farm that has just started may have no fresh value yet, and the page works.
    await page.locator("main [data-quality]:not([data-quality=never])").first().waitFor();
    await page.getByRole("region", { name: say("weather:title") }).waitFor();
    await page.waitForLoadState("networkidle");
    const paths = await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .map(({ name }) => new URL(name).pathname)
        .filter((path) => path.endsWith(".js")),
    );
    await page.close();
    return [...new Set(paths)];
  };

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack(), launchChromium()]);
    const pair = await read(await login(stack.url, "farmer", DEMO_PASSWORD), TokenPair);
    context = await newVisitor(browser, VISITOR);
    await context.addInitScript((token) => {
      localStorage.setItem("refreshToken", String(token));
      // With data saving nothing is prefetched: only the dashboard's own requests remain.
      Object.defineProperty(navigator, "connection", { value: { saveData: true } });
    }, refreshTokenOf(pair));
    for (let visits = 0; visits < VISITS; visits += 1) {
      asked = await scriptsOfOneVisit();
      if (!asked.some((path) => TOAST.test(path))) break;
    }
    scripts = await Promise.all(
      asked.map(async (path) => {
        const body = Buffer.from(await (await fetch(stack.url + path)).arrayBuffer());
        return { name: path.replace("/assets/", ""), raw: body.length, gzip: gzipSync(body).length };
      }),
    );
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  it("[budget] is at most 260 kB of JavaScript, packed, until the dashboard works", () => {
    const kilobytes = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`.padStart(9);
    const lines = scripts
      .toSorted((a, b) => b.gzip - a.gzip)
      .map(({ name, raw, gzip }) => `${kilobytes(gzip)} of ${kilobytes(raw)}  ${name}`);
    const whole = scripts.reduce((sum, { gzip }) => sum + gzip, 0);
    console.info([...lines, `${kilobytes(whole)} in all, of ${kilobytes(BUDGET)}`].join("\n"));
    expect(scripts.length).toBeGreaterThan(1);
    expect(whole).toBeLessThanOrEqual(BUDGET);
  });

  it("[budget] contains no chart, map, sheet or menu", () => {
    expect(scripts.map(({ name }) => name).filter((name) => LAZY.test(name))).toEqual([]);
  });

  it("[shell] uses no cascade layers, with which each added style lays out the whole page again", async () => {
    const page = await context.newPage();
    await page.goto(`${stack.url}/account`);
    await page.getByRole("heading", { name: say("account:title"), level: 1 }).waitFor();
    const rules = await page.evaluate(() =>
      [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules].map((rule) => rule.constructor.name)),
    );
    await page.close();
    expect(rules).toContain("CSSStyleRule");
    expect(rules.filter((name) => name.startsWith("CSSLayer"))).toEqual([]);
  });

  it("[shell] does not shift the page for a returning visitor with an alarm", async () => {
    const page = await context.newPage();
    await page.goto(`${stack.url}/account`);
    const sensor = { name: "Low battery", serial: `${SERIAL}`, deviceType: "SMS" };
    const account = await signIn(stack.url, "farmer");
    const { deviceKey } = await read(await account.post(sensorAdd.path, sensor), AddedSensor);
    await mosquittoPub({
      host: "127.0.0.1",
      port: stack.mqttPort,
      user: `${SERIAL}`,
      password: deviceKey,
      topic: topic.up(SERIAL),
      message: JSON.stringify({ battery: 12, at: new Date().toISOString() }),
    });
    const strip = page.getByRole("region", { name: say("common:alarm.title"), exact: true });
    await strip.waitFor();
    await page.addInitScript((stripName) => {
      const shifts: Shift[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as LayoutShift[]) {
          // A notice about a link stands above the strip, and moves it too: on a busy machine one may come at any time.
          const isByNotice = entry.sources.some(
            ({ node }) => node instanceof Element && node.getAttribute("aria-label") === stripName,
          );
          if (isByNotice) continue;
          const moved = entry.sources.map(
            ({ node, previousRect: from, currentRect: to }) =>
              `${node?.nodeName} "${node?.textContent?.slice(0, 40)}" ${from.top} → ${to.top}`,
          );
          shifts.push({ value: entry.value, moved: moved.join(", ") });
        }
      }).observe({ type: "layout-shift", buffered: true });
    }, say("common:alarm.title"));
    const moved: Record<string, readonly Shift[]> = {};
    for (const path of ["/account", "/dashboard", "/sensors", "/irrigation", "/maps"]) {
      await page.goto(stack.url + path);
      await page.waitForLoadState("networkidle");
      await page.reload();
      await strip.waitFor();
      await page.locator("main h1").first().waitFor({ state: "attached" });
      await page.waitForLoadState("networkidle");
      moved[path] = await page.evaluate(() => Reflect.get(window, "shifts") as Shift[]);
    }
    await page.close();
    // They put an open valve first, and move its line when the demo's valve opens or closes.
    const most = (path: string) => (["/irrigation", "/dashboard"].includes(path) ? 0.1 : 0.05);
    // One appearance and disappearance of the strip shifts a phone's page by 0.19.
    const sum = (shifts: readonly Shift[]) => shifts.reduce((all, { value }) => all + value, 0);
    console.info(Object.fromEntries(Object.entries(moved).map(([path, shifts]) => [path, sum(shifts)])));
    expect(Object.entries(moved).filter(([path, shifts]) => sum(shifts) >= most(path))).toEqual([]);
  });

  it("[web] is compressed over the wire", async () => {
    const packings = await Promise.all(
      asked.map(async (path) => {
        const answer = await fetch(stack.url + path, { headers: { "accept-encoding": "gzip" } });
        await answer.body?.cancel();
        return answer.headers.get("content-encoding");
      }),
    );
    // Files of less than a kilobyte are not compressed.
    const large = scripts.filter(({ raw }) => raw >= 1_024).length;
    expect(packings.filter((packing) => packing === "gzip")).toHaveLength(large);
  });
});
