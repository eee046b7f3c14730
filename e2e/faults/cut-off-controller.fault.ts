import { setTimeout as sleep } from "node:timers/promises";
import { AlarmPage } from "@mulkko/shared/rest/alarm";
import { relayPath } from "@mulkko/shared/rest/routes";
import { launchChromium } from "@mulkko/testing/engines/chromium";
import { startTcpProxy, type TcpProxy } from "@mulkko/testing/engines/tcp-proxy";
import { read, type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { type ControllerDevice, connectController } from "@mulkko/testing/stack/controller-device";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { newVisitor } from "@mulkko/testing/stack/visitor";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signInOnPage } from "../pages/login.ts";
import { openPanel, type ValvePanel } from "../pages/valve-panel.ts";

const SERIAL = 24110901;
const CHANNEL = 1;
const RUN_MS = 60_000;
/** Time between the end of its run and the return of the controller, ms. */
const BACK_AFTER_MS = 70_000;

/** The demo's farm without its virtual devices, and a controller on a connection that can be cut. */
describe("a controller that is cut off in the middle of a run", () => {
  let stack: Stack;
  let account: SignedIn;
  let browser: Browser;
  let page: Page;
  let panel: ValvePanel;
  let line: TcpProxy;
  let device: ControllerDevice;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack(), launchChromium()]);
    account = await signIn(stack.url, "farmer");
    const controller = (await account.controllers()).find(({ serial }) => Number(serial) === SERIAL);
    const context = await newVisitor(browser, { viewport: "phone", locale: "ko-KR", colorScheme: "light" });
    page = await context.newPage();
    await signInOnPage(page, stack.url, "farmer");
    await stack.api.stop();
    await stack.api.start({ DEMO: "off" });
    line = await startTcpProxy(`mqtt://127.0.0.1:${stack.mqttPort}`);
    device = await connectController({ ...stack, mqttPort: line.port }, SERIAL);
    // Until it reports it is shown as lost, though it is connected (LINK-3).
    await device.say(CHANNEL, { onoff: 2, at: new Date().toISOString() });
    panel = await openPanel(page, stack.url, String(controller?.id), CHANNEL);
    await panel.words.filter({ hasText: "닫힘" }).waitFor({ timeout: 60_000 });
  });
  afterAll(async () => {
    await device?.close();
    await line?.close();
    await browser?.close();
    await stack?.close();
  });

  it("[WAT-1] is recorded with its planned end, and with the moment until which the end was unknown", async () => {
    await device.say(CHANNEL, { onoff: 2, at: new Date().toISOString() });
    await panel.slideFor(5);
    await expect.poll(() => device.received.length).toBeGreaterThan(0);
    // The device ends after one minute of the five: its own end counts.
    const at = Date.now();
    const end = at + RUN_MS;
    await device.say(CHANNEL, {
      onoff: 1,
      at: new Date(at).toISOString(),
      runUntil: new Date(end).toISOString(),
      commandId: device.received.at(-1)?.commandId ?? "",
    });
    await expect.poll(() => panel.words.innerText()).toBe("열림");
    line.cut();
    await sleep(end + BACK_AFTER_MS - Date.now());
    line.pass();
    device = await connectController({ ...stack, mqttPort: line.port }, SERIAL);
    await device.say(CHANNEL, { onoff: 2, at: new Date().toISOString() });
    await page.getByText("까지 확인 안 됨").first().waitFor({ timeout: 30_000 });
    await page
      .getByRole("button", { name: /소식|알림/ })
      .first()
      .click();
    await page.getByRole("radio", { name: "활동" }).check();
    const entry = page.getByRole("list", { name: "활동" }).getByText("까지 확인 안 됨").first();
    await entry.waitFor();
    expect(await entry.innerText()).toMatch(/^1분 관수 · 설정 시간 완료 · \d\d:\d\d까지 확인 안 됨 · 김선우/);
  });

  it("[ALM-1] is not called open too long: no report showed it open after its end", async () => {
    for (const path of [relayPath.alarms, `${relayPath.alarms}?past=true`]) {
      const { content } = await read(await account.get(path), AlarmPage);
      expect(content.map(({ type }) => type)).not.toContain("open-too-long");
    }
  });
});
