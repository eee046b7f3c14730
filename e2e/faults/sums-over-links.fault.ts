import { launchChromium } from "@mulkko/testing/engines/chromium";
import { startTcpProxy, type TcpProxy } from "@mulkko/testing/engines/tcp-proxy";
import { signIn } from "@mulkko/testing/stack/account";
import { type Cluster, startCluster } from "@mulkko/testing/stack/start-cluster";
import { newVisitor } from "@mulkko/testing/stack/visitor";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signInOnPage } from "../pages/login.ts";
import { pairWall } from "../pages/wall.ts";

const SEEN = { timeout: 60_000, interval: 250 };
/** Sentences that only a live link may show: counts of live sensors, and water that runs or does not. */
const CLAIMS = [/실시간 [1-9]\d*\/\d+/, /지금은 물을 주지 않습니다/, /곳에 물 주는 중/, /모든 센서가 정상/];
const UNKNOWN = /확인 불가: 밸브 \d+개/;

/** Screens that stay open while the services behind the relay are away. */
describe("sums over lost links", () => {
  let cluster: Cluster;
  let way: TcpProxy;
  let browser: Browser;
  const pages = new Map<string, Page>();
  beforeAll(async () => {
    [cluster, browser] = await Promise.all([
      startCluster(1, {}, async (_index, { redisUrl }) => {
        way = await startTcpProxy(redisUrl);
        return { REDIS_URL: `redis://127.0.0.1:${way.port}` };
      }),
      launchChromium(),
    ]);
    const url = cluster.nodes[0]?.url ?? "";
    const context = await newVisitor(browser, { viewport: "phone", locale: "ko-KR", colorScheme: "light" });
    for (const path of ["/dashboard", "/irrigation", "/sensors/cot", "/sensors"]) {
      const page = await context.newPage();
      if (pages.size === 0) await signInOnPage(page, url, "farmer");
      else await page.goto(url + path);
      pages.set(path, page);
    }
    const screen = await newVisitor(browser, { viewport: "desktop", locale: "ko-KR", colorScheme: "dark" });
    const wall = await screen.newPage();
    await pairWall(wall, url, await signIn(url, "farmer"), { pages: ["overview"] });
    pages.set("wall", wall);
  });
  afterAll(async () => {
    await browser?.close();
    await cluster?.close();
    await way?.close();
  });

  const textOf = async (path: string): Promise<string> => (await pages.get(path)?.innerText("body")) ?? "";
  const claims = async (path: string) => {
    const text = await textOf(path);
    return CLAIMS.filter((claim) => claim.test(text)).map(String);
  };
  const claimed = async () => {
    await expect.poll(() => textOf("/dashboard"), SEEN).toMatch(/실시간 [1-9]\d*\/\d+/);
    for (const path of ["/irrigation", "/sensors/cot"]) {
      await expect.poll(() => textOf(path), SEEN).toMatch(/물을 주지 않습니다|물 주는 중|닫힘 \d+개/);
    }
    await expect
      .poll(() => pages.get("wall")?.locator("[data-page=overview] [data-quality=fresh]").count(), SEEN)
      .toBeGreaterThan(0);
  };
  const unclaimed = async () => {
    await expect.poll(() => textOf("/dashboard"), SEEN).toMatch(UNKNOWN);
    for (const path of ["/irrigation", "/sensors/cot"]) {
      await expect.poll(() => textOf(path), SEEN).toMatch(UNKNOWN);
    }
    for (const path of ["/dashboard", "/irrigation", "/sensors/cot", "/sensors"]) {
      expect(await claims(path), path).toEqual([]);
      const live = pages.get(path)?.locator("main [data-live=true][data-kind], main [data-quality=fresh]");
      expect(await live?.count(), path).toBe(0);
    }
    await pages.get("wall")?.getByTestId("stale-banner").waitFor();
    expect(await pages.get("wall")?.locator("[data-page=overview] [data-quality=fresh]").count()).toBe(0);
    expect(await textOf("wall")).not.toMatch(/이상 없음/);
  };

  it("[ONL-2] claim nothing on any screen while the relay's store is away, and everything again once it is back", async () => {
    await claimed();
    way.cut();
    await unclaimed();
    way.pass();
    await claimed();
  });

  it("[ONL-2] claim nothing on any screen while the farm API is away, and everything again once it is back", async () => {
    await cluster.api.kill();
    await unclaimed();
    await cluster.api.start();
    await claimed();
  });
});
