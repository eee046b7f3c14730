import { History } from "@mulkko/shared/rest/history";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signInOnPage } from "../pages/login.ts";
import { launchChromium } from "../src/engines/chromium.ts";
import { read, signIn } from "../stack/account.ts";
import { type Stack, startStack } from "../stack/start-stack.ts";
import { newVisitor } from "../stack/visitor.ts";

const SOIL_SERIAL = 24110101;
const SECOND = 1_000;

describe("the relay goes away and comes back", () => {
  let stack: Stack;
  let browser: Browser;
  let page: Page;
  let soilId: string;
  let lostAt: number;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack(), launchChromium()]);
    const account = await signIn(stack.url, "farmer");
    soilId = String((await account.sensors()).find(({ serial }) => Number(serial) === SOIL_SERIAL)?.id);
    const context = await newVisitor(browser, { viewport: "desktop", locale: "ko-KR", colorScheme: "dark" });
    page = await context.newPage();
    await signInOnPage(page, stack.url, "farmer");
    await page.goto(`${stack.url}/sensors/type?id=${soilId}`);
    await page.getByText("실시간").first().waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  it("[LIVE-1] says that the page is not live, and dims it", async () => {
    await stack.relay.kill();
    lostAt = Date.now();
    await page
      .getByText("실시간이 아닙니다")
      .first()
      .waitFor({ timeout: 35 * SECOND });
    await expect.poll(() => page.locator("html").getAttribute("data-live")).toBe("no");
  });

  it("[ONL-2] shows no value as fresh while nobody can tell", async () => {
    expect(await page.locator("main [data-quality=fresh]").count()).toBe(0);
  });

  it("[LIVE-2] recovers by itself when the relay is back", async () => {
    await stack.relay.start();
    await page
      .getByText("실시간이 아닙니다")
      .first()
      .waitFor({ state: "hidden", timeout: 60 * SECOND });
    await expect.poll(() => page.locator("html").getAttribute("data-live")).toBe("yes");
    await expect
      .poll(() => page.locator("main [data-quality=fresh]").count(), { timeout: 30_000 })
      .toBeGreaterThan(0);
  });

  it("[SUB-5] leaves no hole in the chart where the relay was away", async () => {
    const account = await signIn(stack.url, "farmer");
    const range = new URLSearchParams({
      ids: soilId,
      fields: "moisture",
      from: new Date(lostAt - 60 * SECOND).toISOString(),
      to: new Date().toISOString(),
      buckets: "30",
    });
    const history = await read(await account.get(`${relayPath.history}?${range}`), History);
    const [series] = history.series;
    expect(series).toBeDefined();
    if (!series) return;
    const start = Date.parse(series.start);
    const holes = series.count.filter((count, bucket) => {
      const begins = start + bucket * series.step;
      const whole = begins >= lostAt - 40 * SECOND && begins + series.step <= Date.now() - 20 * SECOND;
      return whole && series.step >= 20 * SECOND && count === 0;
    });
    expect(holes).toEqual([]);
    await expect
      .poll(() => page.locator("[data-chart-points]").first().getAttribute("data-chart-points"), {
        timeout: 20_000,
      })
      .not.toBe("0");
  });
});
