import { setTimeout as sleep } from "node:timers/promises";
import { History } from "@mulkko/shared/rest/history";
import { relayPath } from "@mulkko/shared/rest/routes";
import { parseJson } from "@mulkko/shared/schema/parse";
import { launchChromium } from "@mulkko/testing/engines/chromium";
import { signIn } from "@mulkko/testing/stack/account";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { newVisitor } from "@mulkko/testing/stack/visitor";
import type { Browser, Page } from "playwright-core";
import type { Static } from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signInOnPage } from "../pages/login.ts";

const SOIL_SERIAL = 24110101;
const SECOND = 1_000;
const AWAY = 45 * SECOND;

describe("the relay stops and starts again", () => {
  let stack: Stack;
  let browser: Browser;
  let page: Page;
  let soilId: string;
  let lostAt: number;
  let backAt: number;
  /** Data that the page received to draw once the relay was back. */
  const drawn: Static<typeof History>[] = [];
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack(), launchChromium()]);
    const account = await signIn(stack.url, "farmer");
    soilId = String((await account.sensors()).find(({ serial }) => Number(serial) === SOIL_SERIAL)?.id);
    const context = await newVisitor(browser, { viewport: "desktop", locale: "ko-KR", colorScheme: "dark" });
    page = await context.newPage();
    await signInOnPage(page, stack.url, "farmer");
    await page.goto(`${stack.url}/sensors/type?id=${soilId}&range=onehour`);
    await page.getByText("실시간").first().waitFor();
    await page.locator("canvas").first().waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  it("[LIVE-1] says that the page is not live, and dims it", async () => {
    await stack.relay.kill();
    lostAt = Date.now();
    await page
      .getByText("실시간 연결이 끊겼습니다")
      .first()
      .waitFor({ timeout: 35 * SECOND });
    await expect.poll(() => page.getByTestId("page").getAttribute("data-live")).toBe("false");
  });

  it("[ONL-2] shows no value as fresh while its state is unknown", async () => {
    expect(await page.locator("main [data-quality=fresh]").count()).toBe(0);
  });

  it("[LIVE-2] recovers by itself when the relay is back", async () => {
    // Long enough for four readings of every device to be missed.
    await sleep(AWAY - (Date.now() - lostAt));
    backAt = Date.now();
    page.on("response", async (response) => {
      if (!response.url().includes(relayPath.history)) return;
      const history = parseJson(History, await response.text());
      if (!history.ok) throw new Error(`${response.url()} ${history.path} ${history.message}`);
      drawn.push(history.value);
    });
    await stack.relay.start();
    await page
      .getByText("실시간 연결이 끊겼습니다")
      .first()
      .waitFor({ state: "hidden", timeout: 60 * SECOND });
    await expect.poll(() => page.getByTestId("page").getAttribute("data-live")).toBe("true");
    await expect
      .poll(() => page.locator("main [data-quality=fresh]").count(), { timeout: 30_000 })
      .toBeGreaterThan(0);
  });

  it("[SUB-5] leaves no hole in the chart where the relay was away", async () => {
    await expect
      .poll(() => drawn.some((history) => holesOf(history) !== null), { timeout: 60 * SECOND })
      .toBe(true);
    expect(drawn.map(holesOf).filter((holes) => holes !== null)).toContainEqual([]);
  });

  /**
   * Return the gaps while the relay was away, as the page received them; null if it did not receive that
   * time. The device sends every 10 s and a bucket is 10 s long, so a single empty bucket beside full ones is
   * no gap.
   */
  function holesOf(history: Static<typeof History>): number[] | null {
    const [series] = history.series;
    if (!series) return null;
    const begin = (bucket: number): number => Date.parse(series.start) + bucket * series.step;
    const away = series.count
      .map((count, bucket) => ({ count, from: begin(bucket), to: begin(bucket + 1) }))
      .filter(({ from, to }) => from >= lostAt && to <= backAt);
    if (away.length === 0) return null;
    return away
      .filter(({ count }, place) => count === 0 && (away[place + 1]?.count ?? 0) === 0)
      .map(({ from }) => from - lostAt);
  }
});
