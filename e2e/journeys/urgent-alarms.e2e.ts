import { launchChromium } from "@mulkko/testing/engines/chromium";
import { DEMO_PASSWORD, login, signIn } from "@mulkko/testing/stack/account";
import { type ControllerDevice, connectController } from "@mulkko/testing/stack/controller-device";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { newVisitor, VIEWPORTS } from "@mulkko/testing/stack/visitor";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { enterAsAdmin } from "../pages/admin.ts";
import { setLetters } from "../pages/large-letters.ts";
import { widerThanScreen } from "../pages/page-width.ts";
import { pairWall } from "../pages/wall.ts";

/** The farmer's valve controller; the farmer never signs in here. */
const SERIAL = 24110901;
const CHANNEL = 1;
const OTHER_CHANNELS = [2, 3, 4];
const NARROW = { width: 360, height: 740 };
const PATIENT = { timeout: 60_000 };
const REASON = "농장주와 연락이 안 됨";

describe("water that runs in an account whose owner never signed in", () => {
  let stack: Stack;
  let browser: Browser;
  let page: Page;
  let wall: Page;
  let device: ControllerDevice;
  const alarm = (type: string) => page.getByTestId("fleet-alarm").filter({ hasText: type });
  const say = (number: number, onoff: 1 | 2) => device.say(number, { onoff, at: new Date().toISOString() });
  const connect = async () => {
    device = await connectController(stack, SERIAL);
    for (const number of OTHER_CHANNELS) await say(number, 2);
  };
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack(), launchChromium()]);
    const visitor = { viewport: "desktop", locale: "ko-KR", colorScheme: "light" } as const;
    page = await (await newVisitor(browser, visitor)).newPage();
    await enterAsAdmin({ page, stack });
    const screen = await browser.newContext({
      viewport: { width: 1920, height: 1080 },
      locale: "ko-KR",
      serviceWorkers: "block",
    });
    wall = await screen.newPage();
    const admin = await signIn(stack.url, "admin");
    await pairWall(wall, stack.url, admin, { pages: ["alarms", "fleet"], turnSeconds: 600 });
    // Without the demo's virtual devices: this journey sends messages in the controller's name.
    await stack.api.stop();
    await stack.api.start({ DEMO: "off" });
    await connect();
    await say(CHANNEL, 2);
  });
  afterAll(async () => {
    await device?.close();
    await browser?.close();
    await stack?.close();
  });

  it("[WARN-1] is first on the morning page and in the strip of every page, with farm, person and telephone", async () => {
    await page.goto(`${stack.url}/adminpage`);
    await page
      .getByTestId("account-line")
      .or(page.getByText("열린 밸브", { exact: true }))
      .first()
      .waitFor(PATIENT);
    await say(CHANNEL, 1);
    await alarm("현장에서 열림").waitFor(PATIENT);
    expect(await alarm("현장에서 열림").innerText()).toContain("farmer");
    expect(await alarm("현장에서 열림").locator("a[href^='tel:']").count()).toBe(1);
    await page.getByText(/^지금 밸브 1개/).waitFor(PATIENT);
    await page.goto(`${stack.url}/dashboard`);
    const strip = page.getByRole("region", { name: "경보", exact: true }).getByRole("link");
    await strip.filter({ hasText: "현장에서 열림" }).click(PATIENT);
    await page.waitForURL("**/alarms");
    await alarm("현장에서 열림").waitFor(PATIENT);
  });

  it("[WARN-7] becomes a P1 when the controller is cut off, which pins the fleet's page on a wall", async () => {
    await wall.locator("[data-page=alarms]").waitFor();
    device.die();
    await alarm("관수 중 컨트롤러 오프라인").waitFor(PATIENT);
    await wall.locator("[data-page=fleet]").waitFor(PATIENT);
    const foot = wall.getByTestId("alarm-foot").and(wall.getByRole("alert"));
    await foot.filter({ hasText: "관수 중 컨트롤러 오프라인" }).waitFor(PATIENT);
    await wall.getByTestId("fleet-urgent").filter({ hasText: "farmer" }).first().waitFor(PATIENT);
  });

  it("[UI-7] fits a phone with letters twice as large on the page of all alarms", async () => {
    await page.setViewportSize(NARROW);
    await setLetters(page, 2);
    await page.goto(`${stack.url}/alarms`);
    await alarm("관수 중 컨트롤러 오프라인").waitFor(PATIENT);
    expect(await widerThanScreen(page, NARROW.width)).toEqual([]);
    await setLetters(page, 1);
    await page.setViewportSize(VIEWPORTS.desktop);
  });

  it("[WARN-6] is closed by the administrator with a reason, and the owner reads who did it and why", async () => {
    await connect();
    await say(CHANNEL, 1);
    await page.goto(`${stack.url}/adminpage`);
    await alarm("현장에서 열림")
      .getByRole("button", { name: /^밸브 닫기/ })
      .click(PATIENT);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox").fill(REASON);
    await dialog.getByRole("button", { name: "밸브 닫기" }).click();
    await expect.poll(() => device.received.some(({ state }) => state === 2), PATIENT).toBe(true);
    const { commandId = "" } = device.received.at(-1) ?? {};
    await device.say(CHANNEL, { onoff: 2, at: new Date().toISOString(), commandId });
    await dialog.getByText("닫혔습니다").waitFor(PATIENT);
    await dialog.getByRole("button", { name: "닫기", exact: true }).click();
    await alarm("현장에서 열림").waitFor({ state: "detached", ...PATIENT });
    // The neighbor's controller is silent without the demo's devices: its valves are not known.
    await page.getByText(/^열린 (밸브가|것으로 확인된 밸브는) 없습니다$/).waitFor(PATIENT);
    // The demo's accounts have their password only while it is on.
    await stack.api.stop();
    await stack.api.start({ DEMO: "on" });
    await expect.poll(async () => (await login(stack.url, "farmer", DEMO_PASSWORD)).ok, PATIENT).toBe(true);
    const owner = await signIn(stack.url, "farmer");
    const log = await (await owner.get("/relay/commands")).text();
    expect(log).toContain(REASON);
  });
});
