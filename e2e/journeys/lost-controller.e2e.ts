import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signInOnPage } from "../pages/login.ts";
import { openPanel, type ValvePanel } from "../pages/valve-panel.ts";
import { signIn } from "../src/stack/account.ts";
import { type ControllerDevice, connectController } from "../src/stack/controller-device.ts";
import { openStage } from "../src/stack/stage.ts";

const SERIAL = 24110901;
const CHANNEL = 1;
const LOST_CLOSED = /연결 끊김 · 마지막 보고 \d\d:\d\d 닫힘/;
const LOST_OPEN = /연결 끊김 · 마지막 보고 \d\d:\d\d 열림/;

/** A controller of the demo farm whose connection breaks: its last will says so, at once. */
describe("a controller that loses its connection", () => {
  const stage = openStage();
  let page: Page;
  let panel: ValvePanel;
  let controllerId: string;
  let device: ControllerDevice;
  const now = () => new Date().toISOString();
  /** A row of the dashboard's list of valves. */
  const row = () => page.locator(`a.valve-line[href*="cotId=${controllerId}&ch=${CHANNEL}"]`);
  beforeAll(async () => {
    const { stack } = stage;
    const account = await signIn(stack.url, "farmer");
    const controller = (await account.controllers()).find(({ serial }) => Number(serial) === SERIAL);
    controllerId = String(controller?.id);
    page = await stage.visit({ viewport: "phone", locale: "ko-KR", colorScheme: "light" });
    await signInOnPage(page, stack.url, "farmer");
    await stack.api.stop();
    await stack.api.start({ DEMO: "off" });
    device = await connectController(stack, SERIAL);
    panel = await openPanel(page, stack.url, controllerId, CHANNEL);
  });
  afterAll(async () => {
    await device?.close();
    await page?.context().close();
  });

  it("[ONL-2] is lost on its panel within seconds, and its closed valve is the last report", async () => {
    await device.say(CHANNEL, { onoff: 2, at: now() });
    await expect.poll(() => panel.words.innerText(), { timeout: 60_000 }).toBe("닫힘");
    device.die();
    await expect.poll(() => panel.words.innerText(), { timeout: 10_000 }).toBe("연결 끊김");
    await page.getByText(/^마지막 보고 \d\d:\d\d 닫힘$/).waitFor();
    const head = page.getByRole("heading", { level: 1 }).locator("..").locator("..");
    expect(await head.innerText()).toContain("연결 끊김");
    expect(await head.innerText()).not.toContain("실시간");
  });

  it("[ONL-5] is drawn so on the dashboard, and its farm says it too", async () => {
    await page.goto(stage.stack.url);
    await expect.poll(() => row().innerText(), { timeout: 20_000 }).toMatch(LOST_CLOSED);
    await page.goto(`${stage.stack.url}/sensors/cot`);
    const cell = page.locator(`a.channel-cell[href*="cotId=${controllerId}&ch=${CHANNEL}"]`);
    await expect
      .poll(() => cell.first().innerText(), { timeout: 20_000 })
      .toMatch(/마지막 보고 \d\d:\d\d 닫힘/);
  });

  it("[ONL-5] is live again with its next report", async () => {
    await device.close();
    device = await connectController(stage.stack, SERIAL);
    await device.say(CHANNEL, { onoff: 2, at: now() });
    panel = await openPanel(page, stage.stack.url, controllerId, CHANNEL);
    await expect.poll(() => panel.words.innerText(), { timeout: 20_000 }).toBe("닫힘");
  });

  it("[ALM-1] lost while water runs, no screen says that water runs, and the alarm is P1 at once", async () => {
    await panel.slideFor(5);
    await expect
      .poll(() => device.heard.findLast(({ state }) => state === 1), { timeout: 20_000 })
      .toBeDefined();
    const opening = device.heard.findLast(({ state }) => state === 1);
    await device.say(CHANNEL, {
      onoff: 1,
      at: now(),
      runUntil: new Date(Date.now() + 300_000).toISOString(),
      commandId: opening?.commandId ?? "",
    });
    await expect.poll(() => panel.words.innerText(), { timeout: 20_000 }).toBe("열림");
    device.die();
    await expect.poll(() => panel.words.innerText(), { timeout: 10_000 }).toBe("연결 끊김");
    await page.getByText(/^마지막 보고 \d\d:\d\d 열림$/).waitFor();
    await page.getByText(/^종료 예정 \d\d:\d\d$/).waitFor();
    expect(await page.getByText(/남음/).count()).toBe(0);
    await page.getByText("관수 중 컨트롤러 오프라인").first().waitFor();
    await page.goto(stage.stack.url);
    await expect.poll(() => row().innerText(), { timeout: 20_000 }).toMatch(LOST_OPEN);
    await page.getByText(/\d곳 확인 불가/).waitFor();
    expect(await page.getByText(/곳에 물 주는 중/).count()).toBe(0);
  });

  it("[ALM-1] the alarm is over, and the water known, with the next report", async () => {
    await device.close();
    device = await connectController(stage.stack, SERIAL);
    await device.say(CHANNEL, { onoff: 2, at: now() });
    await page.goto(`${stage.stack.url}/alarms`);
    await page.getByText("해소됨").first().waitFor({ timeout: 20_000 });
    panel = await openPanel(page, stage.stack.url, controllerId, CHANNEL);
    await expect.poll(() => panel.words.innerText(), { timeout: 20_000 }).toBe("닫힘");
  });
});
