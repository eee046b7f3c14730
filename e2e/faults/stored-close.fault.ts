import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
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
const VALVES = [1, 2, 3, 4];
const PATIENCE = { timeout: 90_000 };

/** The relay's store takes no changes, as with a full disk, and the farm API stands still. */
describe("a close that nothing but the browser has stored", () => {
  let stack: Stack;
  let browser: Browser;
  let page: Page;
  let panel: ValvePanel;
  let device: ControllerDevice;
  const say = (number: number, onoff: 1 | 2) => device.say(number, { onoff, at: new Date().toISOString() });
  const signal = (name: NodeJS.Signals): void => {
    const pid = stack.api.pid();
    if (pid !== undefined) process.kill(pid, name);
  };
  /** True while this browser holds a command. */
  const holds = () => page.evaluate(() => Object.keys(localStorage).some((key) => key.includes("outbox")));
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack(), launchChromium()]);
    const account = await signIn(stack.url, "farmer");
    const controller = (await account.controllers()).find(({ serial }) => Number(serial) === SERIAL);
    const context = await newVisitor(browser, { viewport: "phone", locale: "ko-KR", colorScheme: "light" });
    page = await context.newPage();
    await signInOnPage(page, stack.url, "farmer");
    await stack.api.stop();
    await stack.api.start({ DEMO: "off" });
    device = await connectController(stack, SERIAL);
    for (const number of VALVES) await say(number, number === CHANNEL ? 1 : 2);
    panel = await openPanel(page, stack.url, String(controller?.id), CHANNEL);
  });
  afterAll(async () => {
    signal("SIGCONT");
    await device?.close();
    await browser?.close();
    await stack?.close();
  });

  it("[CMD-8] outlives the relay that had it in memory only, and closes the valve", async () => {
    await expect.poll(() => panel.words.innerText(), PATIENCE).toBe("열림");
    const lock = new DatabaseSync(join(stack.dataDir, "relay", "relay.sqlite"));
    lock.exec("BEGIN IMMEDIATE");
    signal("SIGSTOP");
    await panel.closeNow();
    // The relay has answered within 5 s, and is sending it; the page is not done with it.
    await page.waitForTimeout(8_000);
    expect(await holds()).toBe(true);
    await stack.relay.kill();
    lock.close();
    expect(device.received).toEqual([]);
    await stack.relay.start();
    signal("SIGCONT");
    await expect.poll(() => device.received.some(({ state }) => state === 2), PATIENCE).toBe(true);
    await say(CHANNEL, 2);
    await expect.poll(() => panel.words.innerText(), PATIENCE).toBe("닫힘");
    await expect.poll(holds, PATIENCE).toBe(false);
  });
});
