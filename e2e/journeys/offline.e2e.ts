import { startTcpProxy, type TcpProxy } from "@mulkko/testing/engines/tcp-proxy";
import { openStage } from "@mulkko/testing/stack/stage";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signInOnPage } from "../pages/login.ts";
import { wordsOf } from "../pages/words.ts";

/** Far less than the 35 s of silence and than the longest wait between two attempts. */
const SOON = { timeout: 10_000 };

const say = wordsOf("ko-KR");

describe("a link that breaks and recovers", () => {
  const stage = openStage();
  let proxy: TcpProxy;
  let url: string;
  let page: Page;
  beforeAll(async () => {
    proxy = await startTcpProxy(stage.stack.url);
    url = `http://127.0.0.1:${proxy.port}`;
    page = await stage.visit({ viewport: "phone", locale: "ko-KR", colorScheme: "light" });
    await signInOnPage(page, url, "farmer");
    await page.locator("main [data-quality=fresh]").first().waitFor();
  });
  afterAll(async () => {
    await page?.context().close();
    await proxy?.close();
  });
  const isLive = (live: boolean) => page.locator(`[data-testid=page][data-live=${live}]`).waitFor(SOON);
  const firstLink = () => page.getByRole("banner").getByRole("listitem").first();

  /** Active stylesheets, by their file names. */
  const styles = (of: Page): Promise<string[]> =>
    of.evaluate(() =>
      [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")]
        .filter(({ sheet }) => sheet !== null)
        .map(({ href }) => new URL(href).pathname)
        .toSorted(),
    );

  it("[page] loads by itself once the link is back, with its styles, after a failed request", async () => {
    await page.route("**/assets/**", (route) => route.abort());
    await page
      .locator("main")
      .getByRole("link", { name: say("account:title") })
      .click();
    await page.locator("main").getByText(say("common:error.network")).waitFor();
    await page.unroute("**/assets/**");
    await page.getByRole("heading", { level: 1, name: say("account:title") }).waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole("heading", { level: 1, name: say("account:title") }).waitFor();
    const wanted = await styles(other);
    await other.close();
    const there = await styles(page);
    expect(wanted.length).toBeGreaterThan(1);
    expect(wanted.filter((style) => !there.includes(style))).toEqual([]);
    await page.goBack();
  });

  it("[LIVE-1] shows at once that the browser has no network, and is live soon after it has one", async () => {
    await isLive(true);
    await page.context().setOffline(true);
    await expect.poll(() => firstLink().innerText(), SOON).toContain(say("common:link.connecting"));
    await isLive(false);
    await page.getByRole("status").getByText(say("common:link.notLive")).waitFor();
    await expect.poll(() => firstLink().innerText(), SOON).toContain(say("common:link.down"));
    await page.context().setOffline(false);
    await isLive(true);
  });

  it("[LIVE-1] takes an unanswered call as a sign while the stream is silently dead", async () => {
    const reconnected = page.waitForEvent("websocket", { timeout: 30_000 });
    // Either transport may be the one after the reconnect.
    proxy.deaden((sent) => /^upgrade: websocket/im.test(sent));
    await page.route("**/relay/**", (route) => route.abort());
    const places = page.getByRole("navigation", { name: say("shell:nav.main") });
    await places.getByRole("link", { name: say("shell:nav.irrigation") }).click();
    await expect.poll(() => firstLink().innerText(), SOON).toContain(say("common:link.connecting"));
    await reconnected;
    await page.unroute("**/relay/**");
    const broken = new RegExp(`${say("common:link.connecting")}|${say("common:link.down")}`);
    await expect.poll(() => firstLink().innerText(), SOON).not.toMatch(broken);
  });

  it("[LIVE-1] takes a missed heartbeat as a sign while a link is silently dead", async () => {
    proxy.swallow();
    // Two thirds of the time without a sign.
    await page.locator("[data-testid=page][data-live=false]").waitFor({ timeout: 30_000 });
    proxy.pass();
    await isLive(true);
  });
});
