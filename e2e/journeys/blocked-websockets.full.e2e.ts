import { signIn } from "@mulkko/testing/stack/account";
import { type BlockingProxy, startBlockingProxy } from "@mulkko/testing/stack/blocking-proxy";
import { publishAsDevice } from "@mulkko/testing/stack/publish-as-device";
import { openStage } from "@mulkko/testing/stack/stage";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signInOnPage } from "../pages/login.ts";
import { openPanel } from "../pages/valve-panel.ts";
import { wordsOf } from "../pages/words.ts";

const WEAK_SERIAL = 24_110_104;
const WEAK = "3동 토양수분";
const CHANNEL = 2;
const SOON = { timeout: 10_000 };
/** A WebSocket, given up, and polling after a pause. */
const LIVE_WITHIN = { timeout: 30_000 };

const say = wordsOf("ko-KR");
const phone = { viewport: "phone", locale: "ko-KR", colorScheme: "light" } as const;

describe("a network that blocks WebSockets", () => {
  const stage = openStage();
  const live = (page: Page, isLive: boolean, within = LIVE_WITHIN) =>
    page.locator(`[data-testid=page][data-live=${isLive}]`).waitFor(within);
  /** A WebSocket was tried first, and messages arrive by polling. */
  const expectPolled = async (proxy: BlockingProxy): Promise<void> => {
    await expect.poll(() => proxy.polls, LIVE_WITHIN).toBeGreaterThan(10);
    expect(proxy.upgrades).toBeGreaterThan(0);
  };

  describe("by refusing them", () => {
    let proxy: BlockingProxy;
    let page: Page;
    beforeAll(async () => {
      proxy = await startBlockingProxy(stage.stack.url, "refused");
      page = await stage.visit(phone);
      await signInOnPage(page, proxy.url, "farmer");
    });
    afterAll(async () => {
      await page?.context().close();
      await proxy?.close();
    });

    it("[DOOR-2] shows live values that arrive by polling", async () => {
      await live(page, true);
      await expectPolled(proxy);
      await page.locator("main [data-quality=fresh]").first().waitFor();
    });

    it("[SUB-5] shows an alarm by itself", async () => {
      const later = new Date(Date.now() + 30_000).toISOString();
      const message = JSON.stringify({ moisture: 30, battery: 5, at: later });
      await publishAsDevice(stage.stack, WEAK_SERIAL, message);
      const alarms = page
        .getByRole("list", { name: say("dashboard:alarms"), exact: true })
        .getByRole("listitem")
        .filter({ hasText: say("common:alarmType.battery") });
      await expect.poll(() => alarms.first().innerText(), LIVE_WITHIN).toContain(WEAK);
    });

    it("[LIVE-1] says that nothing is live when the link breaks, and recovers by itself", async () => {
      proxy.cut();
      await live(page, false, SOON);
      await page.getByRole("status").getByText(say("common:link.notLive")).waitFor();
      proxy.pass();
      await live(page, true);
    });

    it("[CMD-4] opens and closes a valve, and the panel follows", async () => {
      const account = await signIn(stage.stack.url, "farmer");
      const controller = (await account.controllers()).find(({ type }) => type === "CON04V");
      const panel = await openPanel(page, proxy.url, String(controller?.id), CHANNEL);
      await live(page, true);
      await expect.poll(() => panel.words.innerText(), LIVE_WITHIN).toBe("닫힘");
      await panel.slideFor(5);
      await expect.poll(() => panel.words.innerText(), LIVE_WITHIN).toBe("열림");
      await panel.closeNow();
      await expect.poll(() => panel.words.innerText(), LIVE_WITHIN).toBe("닫힘");
    });
  });

  it("[DOOR-2] by never answering them: values are live all the same", async () => {
    const proxy = await startBlockingProxy(stage.stack.url, "unanswered");
    const page = await stage.visit(phone);
    try {
      await signInOnPage(page, proxy.url, "farmer");
      await expectPolled(proxy);
      await live(page, true);
      await page.locator("main [data-quality=fresh]").first().waitFor();
    } finally {
      await page.context().close();
      await proxy.close();
    }
  });
});
