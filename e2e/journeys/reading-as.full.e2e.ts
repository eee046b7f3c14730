import { launchChromium } from "@mulkko/testing/engines/chromium";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { newVisitor } from "@mulkko/testing/stack/visitor";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { enterAsAdmin } from "../pages/admin.ts";
import { readFarmOf, SOIL_SERIAL } from "../pages/admin-sensors.ts";
import { enterAs } from "../pages/login.ts";
import { wordsOf } from "../pages/words.ts";

const visitor = { viewport: "phone", locale: "en-US", colorScheme: "light" } as const;
const say = wordsOf(visitor.locale);
let stack: Stack;
let browser: Browser;
let context: BrowserContext;
let page: Page;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), launchChromium()]);
  context = await newVisitor(browser, visitor);
  page = await context.newPage();
  await enterAsAdmin({ page, stack });
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

const banner = () => page.getByRole("region", { name: say("shell:reading.label") });

describe("reading another account's farm", () => {
  it("[HS-2] names the account in every call of its screens, also after a reload", async () => {
    const asked: string[] = [];
    const strays: string[] = [];
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (!/^\/(api|relay)\//.test(url.pathname)) return;
      if (url.searchParams.has("as")) asked.push(`${request.method()} ${url.pathname}`);
      else strays.push(`${request.method()} ${url.pathname}`);
    });
    await readFarmOf(page, stack, SOIL_SERIAL, say);
    await page.reload();
    await banner().waitFor();
    strays.length = 0;
    for (const path of ["/irrigation", "/sensors", "/maps", "/alarms", "/sensors/cot"]) {
      await page.goto(stack.url + path);
      await banner().waitFor();
      await page.locator("h1").first().waitFor();
    }
    expect(asked.length).toBeGreaterThan(5);
    expect(asked.filter((call) => !call.startsWith("GET "))).toEqual([]);
    // The session's own request for the signed-in user names no other account.
    expect(strays.filter((call) => !call.endsWith("/api/account/info"))).toEqual([]);
  });

  it("[HS-2] signing out ends it, and leaves nothing of the farm in the browser", async () => {
    await page.goto(`${stack.url}/logout`);
    await page.waitForURL("**/login");
    const left = await page.evaluate(() => ({
      // The scroll positions of pages belong to the router, and reveal no farm.
      tab: Object.keys(sessionStorage).filter((key) => key !== "react-router-scroll-positions"),
      traces: localStorage.getItem("readAsTraces"),
    }));
    expect(left.tab).toEqual([]);
    expect(left.traces).toBeNull();
    await enterAs(page, "admin");
    await page.goto(`${stack.url}/dashboard`);
    await page.locator("h1").first().waitFor();
    expect(await banner().count()).toBe(0);
  });
});
