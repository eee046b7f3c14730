import { AlarmPage } from "@mulkko/shared/rest/alarm";
import { relayPath } from "@mulkko/shared/rest/routes";
import { read, type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { type ControllerDevice, connectController } from "@mulkko/testing/stack/controller-device";
import { openStage } from "@mulkko/testing/stack/stage";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { enterAs, signInOnPage } from "../pages/login.ts";
import { openPanel, type ValvePanel } from "../pages/valve-panel.ts";

const SERIAL = 24110901;
const CHANNEL = 1;
const OFFLINE_WATERING = "관수 중 컨트롤러 오프라인";
/** Time for the relay's flush, the connection and one frame of a browser, ms. */
const AT_ONCE_MS = 5_000;
/** Time until the account's report reaches the administrators' page too, ms. */
const REPORTED_MS = 15_000;
const LOST_CLOSED = /연결 끊김 · 마지막 보고 \d\d:\d\d 닫힘/;
const LOST_OPEN = /연결 끊김 · 마지막 보고 \d\d:\d\d 열림/;

/** A controller of the demo farm whose connection breaks: its last will reports it at once. */
describe("a controller that loses its connection", () => {
  const stage = openStage();
  let page: Page;
  /** An administrator's token, from a sign-in while the demo's passwords are valid. */
  let desk: Page;
  let panel: ValvePanel;
  let account: SignedIn;
  let controllerId: string;
  let device: ControllerDevice;
  const now = () => new Date().toISOString();
  /** A row of the dashboard's list of valves. */
  const row = () => page.locator(`[data-testid=valve-line][href*="cotId=${controllerId}&ch=${CHANNEL}"]`);
  beforeAll(async () => {
    const { stack } = stage;
    account = await signIn(stack.url, "farmer");
    const controller = (await account.controllers()).find(({ serial }) => Number(serial) === SERIAL);
    controllerId = String(controller?.id);
    page = await stage.visit({ viewport: "phone", locale: "ko-KR", colorScheme: "light" });
    await signInOnPage(page, stack.url, "farmer");
    desk = await stage.visit({ viewport: "desktop", locale: "ko-KR", colorScheme: "light" });
    await desk.goto(`${stack.url}/login`);
    await enterAs(desk, "admin");
    await stack.api.stop();
    await stack.api.start({ DEMO: "off" });
    device = await connectController(stack, SERIAL);
    panel = await openPanel(page, stack.url, controllerId, CHANNEL);
  });
  afterAll(async () => {
    await device?.close();
    await Promise.all([page?.context().close(), desk?.context().close()]);
  });

  it("[ONL-2] is lost on its panel within seconds, and its closed valve is shown as the last report", async () => {
    await device.say(CHANNEL, { onoff: 2, at: now() });
    await expect.poll(() => panel.words.innerText(), { timeout: 60_000 }).toBe("닫힘");
    device.die();
    await expect.poll(() => panel.words.innerText(), { timeout: 10_000 }).toBe("연결 끊김");
    await page.getByText(/^마지막 보고 \d\d:\d\d 닫힘$/).waitFor();
    const head = page.getByRole("heading", { level: 1 }).locator("..").locator("..");
    expect(await head.innerText()).toContain("연결 끊김");
    expect(await head.innerText()).not.toContain("실시간");
  });

  it("[ONL-5] is drawn as lost on the dashboard and on its farm", async () => {
    await page.goto(stage.stack.url);
    await expect.poll(() => row().innerText(), { timeout: 20_000 }).toMatch(LOST_CLOSED);
    await page.goto(`${stage.stack.url}/sensors/cot`);
    const cell = page.locator(`[data-testid=channel-cell][href*="cotId=${controllerId}&ch=${CHANNEL}"]`);
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

  it("[ALM-1] raises P1 at once when it is lost while water runs, and no screen says that water runs", async () => {
    await panel.slideFor(5);
    await expect
      .poll(() => device.received.findLast(({ state }) => state === 1), { timeout: 20_000 })
      .toBeDefined();
    const opening = device.received.findLast(({ state }) => state === 1);
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
    await page.getByText(/마지막 보고 열림 \d개/).waitFor();
    expect(await page.getByText(/곳에 물 주는 중/).count()).toBe(0);
  });

  it("[ALM-1] clears the alarm, and knows the water, with the next report", async () => {
    await device.close();
    device = await connectController(stage.stack, SERIAL);
    await device.say(CHANNEL, { onoff: 2, at: now() });
    await page.goto(`${stage.stack.url}/alarms`);
    await page.getByText("해소됨").first().waitFor({ timeout: 20_000 });
    panel = await openPanel(page, stage.stack.url, controllerId, CHANNEL);
    await expect.poll(() => panel.words.innerText(), { timeout: 20_000 }).toBe("닫힘");
  });

  it("[ALM-2] removes the finished alarm from every open screen once it is acknowledged elsewhere", async () => {
    const { stack } = stage;
    const { content } = await read(await account.get(relayPath.alarms), AlarmPage);
    const over = content.find(({ type }) => type === "controller-offline-watering");
    expect(over?.active).toBe(false);
    // The strip shows the worst alarm that is not acknowledged: the demo raises others by its own time of day.
    for (const { id } of content.filter(({ ack }) => ack === null)) {
      if (id !== over?.id) await account.post(relayPath.acknowledgeAlarm(id), {});
    }
    const farm = (await account.sensors()).find(({ clusterId }) => clusterId)?.clusterId;
    const paths = [
      "/alarms",
      "/dashboard",
      `/irrigation/farm?farm=${farm}`,
      `/sensors/cot/detail?cotId=${controllerId}&ch=${CHANNEL}`,
    ];
    const screens = await Promise.all(
      paths.map(async (path) => {
        const screen = await page.context().newPage();
        await screen.goto(stack.url + path);
        await screen.getByText(OFFLINE_WATERING).first().waitFor({ timeout: 30_000 });
        return screen;
      }),
    );
    await desk.goto(`${stack.url}/adminpage`);
    await desk.getByTestId("morning-line").filter({ hasText: "farmer" }).first().waitFor();

    const answer = await account.post(relayPath.acknowledgeAlarm(over?.id ?? ""), {});
    expect(answer.status).toBe(200);
    for (const screen of screens) {
      await expect
        .poll(() => screen.getByText(OFFLINE_WATERING).count(), {
          timeout: AT_ONCE_MS,
          message: screen.url(),
        })
        .toBe(0);
    }
    // The demo's own alarms stay there, acknowledged, while they are active.
    const { content: left } = await read(await account.get(relayPath.alarms), AlarmPage);
    await expect
      .poll(async () => (await desk.getByTestId("alarm-count").allInnerTexts()).join(), {
        timeout: REPORTED_MS,
      })
      .toMatch(left.length === 0 ? /^$/ : new RegExp(`(?<!\\d)${left.length}(?!\\d)`));
    const [, home] = screens;
    await home?.getByRole("banner").getByRole("button", { name: /알림/ }).click();
    await home?.getByRole("radio", { name: "활동" }).check();
    await home?.getByTestId("bell-line").filter({ hasText: OFFLINE_WATERING }).first().waitFor();
    expect(
      await home
        ?.locator("[data-testid=bell-line][data-noteworthy]")
        .filter({ hasText: OFFLINE_WATERING })
        .count(),
    ).toBe(0);
  });
});
