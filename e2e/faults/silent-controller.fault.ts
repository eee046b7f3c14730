import { launchChromium } from "@mulkko/testing/engines/chromium";
import { signIn } from "@mulkko/testing/stack/account";
import { type ControllerDevice, connectController } from "@mulkko/testing/stack/controller-device";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { newVisitor } from "@mulkko/testing/stack/visitor";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signInOnPage } from "../pages/login.ts";
import { openPanel, type ValvePanel } from "../pages/valve-panel.ts";

const SERIAL = 24110901;
const CHANNEL = 1;
/** The controller's other channels. The demo may have watered on one of them when it was stopped. */
const OTHER_CHANNELS = [2, 3, 4];

/** The demo's farm without its virtual devices: this journey sends messages in the controller's name. */
describe("a controller that does not answer", () => {
  let stack: Stack;
  let browser: Browser;
  let page: Page;
  let panel: ValvePanel;
  let device: ControllerDevice;
  const say = (onoff: 1 | 2) => device.say(CHANNEL, { onoff, at: new Date().toISOString() });
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack(), launchChromium()]);
    const account = await signIn(stack.url, "farmer");
    const controller = (await account.controllers()).find(({ serial }) => Number(serial) === SERIAL);
    const context = await newVisitor(browser, { viewport: "desktop", locale: "ko-KR", colorScheme: "light" });
    page = await context.newPage();
    await signInOnPage(page, stack.url, "farmer");
    await stack.api.stop();
    await stack.api.start({ DEMO: "off" });
    device = await connectController(stack, SERIAL);
    const at = new Date().toISOString();
    // Until it reports, a valve stays lost (LINK-3).
    for (const number of [CHANNEL, ...OTHER_CHANNELS]) await device.say(number, { onoff: 2, at });
    panel = await openPanel(page, stack.url, String(controller?.id), CHANNEL);
  });
  afterAll(async () => {
    await device?.close();
    await browser?.close();
    await stack?.close();
  });

  it("[CMD-6] shows an opening at the valve itself as external, and counts nothing down", async () => {
    await expect.poll(() => panel.words.innerText(), { timeout: 60_000 }).toBe("닫힘");
    await say(1);
    await expect.poll(() => panel.words.innerText()).toBe("열림");
    await page.getByText("현장에서 열림").first().waitFor();
    expect(await page.getByTestId("time-left").count()).toBe(0);
    await say(2);
    await expect.poll(() => panel.words.innerText()).toBe("닫힘");
  });

  it("[CMD-1] reports after a minute that the command was not confirmed, and never showed the valve as open", async () => {
    const seen = new Set<string>();
    await panel.openFor(5);
    await expect
      .poll(
        async () => {
          seen.add(await panel.words.innerText());
          return panel.news.innerText();
        },
        { timeout: 90_000, interval: 250 },
      )
      .toContain("60초 동안 밸브가 응답하지 않았습니다");
    expect(seen).not.toContain("열림");
    expect(device.received.length).toBeGreaterThan(0);
  });

  it("[CMD-5] clears itself when the controller reports later, with the end of its run", async () => {
    const opening = device.received.findLast(({ state }) => state === 1);
    expect(opening?.maxRunSeconds).toBeGreaterThan(200);
    const at = Date.now();
    await device.say(CHANNEL, {
      onoff: 1,
      at: new Date(at).toISOString(),
      runUntil: new Date(at + 300_000).toISOString(),
      commandId: opening?.commandId ?? "",
    });
    await expect.poll(() => panel.words.innerText()).toBe("열림");
    await expect.poll(() => panel.news.innerText()).toContain("밸브가 확인했습니다");
    await page.getByTestId("time-left").waitFor();
  });

  it("[CMD-4] closes by one tap, and repeats it until the valve has closed", async () => {
    await panel.closeNow();
    const closings = () => device.received.filter(({ state }) => state === 2).length;
    await expect.poll(closings, { timeout: 30_000 }).toBeGreaterThan(1);
    expect(await panel.words.innerText()).toBe("닫는 중");
    const { commandId = "" } = device.received.at(-1) ?? {};
    await device.say(CHANNEL, { onoff: 2, at: new Date().toISOString(), commandId });
    await expect.poll(() => panel.words.innerText()).toBe("닫힘");
  });

  it("[ALM-1] raises an alarm after three minutes without its connection, while a mode is in charge", async () => {
    const at = new Date().toISOString();
    await device.say(CHANNEL, { onoff: 2, at, period: 1, periodTime: 360, periodWatering: 5 });
    // The mode is in charge on the screen before the connection is cut.
    await page.getByText("사용 중", { exact: true }).first().waitFor();
    device.die();
    await expect.poll(() => panel.words.innerText(), { timeout: 10_000 }).toBe("연결 끊김");
    const alarm = page.getByText("컨트롤러 오프라인", { exact: true });
    expect(await alarm.count()).toBe(0);
    await alarm.first().waitFor({ timeout: 240_000 });
    device = await connectController(stack, SERIAL);
    await device.say(CHANNEL, { onoff: 2, at: new Date().toISOString(), period: 0 });
    await expect.poll(() => panel.words.innerText(), { timeout: 20_000 }).toBe("닫힘");
  });

  it("[CMD-4] refuses to open while the farm API is away, and says so", async () => {
    await stack.api.kill();
    await panel.openFor(5);
    await expect
      .poll(() => panel.news.innerText(), { timeout: 40_000 })
      .toMatch(/열 수 없습니다|전달하지 못했습니다/);
    // An opening with an unknown result is not forgotten: if it happens all the same, it is closed.
    expect(await panel.words.innerText()).toMatch(/^명령: 열기 \/ 마지막 보고: 닫힘 \(\d\d:\d\d\)$/);
  });
});
