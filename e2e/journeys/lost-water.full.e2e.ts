import { setTimeout as sleep } from "node:timers/promises";
import { controllerRead } from "@mulkko/shared/rest/operations/controllers";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { type BadLine, startBadLine } from "@mulkko/testing/stack/bad-line";
import { type ControllerDevice, connectController } from "@mulkko/testing/stack/controller-device";
import { openStage } from "@mulkko/testing/stack/stage";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { signInOnPage } from "../pages/login.ts";
import { openPanel } from "../pages/valve-panel.ts";

const SERIAL = 24110901;
const CHANNEL = 1;
/** Time for which the phone receives nothing, ms. */
const DEAF_MS = 8_000;
const SOON = { timeout: 40_000 };
const VALVE = "1동 앞 베드 토양수분";

/** A controller of the demo farm that is lost while water runs, in front of a phone on a bad line. */
describe("water that runs unseen", () => {
  const stage = openStage();
  let account: SignedIn;
  let line: BadLine;
  let page: Page;
  let controllerId: string;
  let device: ControllerDevice;
  const now = () => new Date().toISOString();
  /** The line of the list about the lost controller. */
  const alarm = () => page.getByRole("article").filter({ hasText: "관수 중 컨트롤러 오프라인" });
  const sentence = /^물 주는 중에 연결이 끊겼습니다: .*1동 앞 베드 토양수분.* 1CH \d\d:\d\d까지 열림/;

  beforeAll(async () => {
    const { stack } = stage;
    account = await signIn(stack.url, "farmer");
    const controller = (await account.controllers()).find(({ serial }) => Number(serial) === SERIAL);
    controllerId = String(controller?.id);
    line = await startBadLine(stack.url);
    page = await stage.visit({ viewport: "phone", locale: "ko-KR", colorScheme: "light" });
    await signInOnPage(page, line.url, "farmer");
    await stack.api.stop();
    await stack.api.start({ DEMO: "off" });
    device = await connectController(stack, SERIAL);
    await device.say(CHANNEL, { onoff: 2, at: now() });
    const panel = await openPanel(page, line.url, controllerId, CHANNEL);
    await panel.words.filter({ hasText: "닫힘" }).waitFor({ timeout: 60_000 });
    await panel.slideFor(5);
    await vi.waitFor(() => expect(device.received.at(-1)?.state).toBe(1), SOON);
    await device.say(CHANNEL, {
      onoff: 1,
      at: now(),
      runUntil: new Date(Date.now() + 300_000).toISOString(),
      commandId: device.received.at(-1)?.commandId ?? "",
    });
    await panel.words.filter({ hasText: "열림" }).waitFor(SOON);
  });
  afterAll(async () => {
    await device?.close();
    await page?.context().close();
    await line?.close();
  });

  it("[ALM-1] is named, with its end and the next step, once the phone is connected again", async () => {
    await page.goto(`${line.url}/alarms`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    line.hold("answers");
    device.die();
    await sleep(DEAF_MS);
    expect(await alarm().count()).toBe(0);
    line.pass();
    await alarm().getByText(sentence).waitFor(SOON);
    await alarm().getByText("현장에서 확인하고 밸브를 직접 닫아 주세요").waitFor();
  });

  it("[ALM-1] stays over every page, with the valve and its end", async () => {
    await page.goto(`${line.url}/dashboard`);
    const strip = page.getByRole("region", { name: "경보" }).first();
    await strip.getByText(/관수 중 컨트롤러 오프라인 · .* 1CH \d\d:\d\d까지 열림/).waitFor(SOON);
  });

  it("[ALM-2] keeps its names when the controller is deleted while the phone is away, and leaves no other alarm", async () => {
    await page.goto(`${line.url}/alarms`);
    await alarm().getByText(sentence).waitFor(SOON);
    const [name = ""] = (await alarm().getByRole("paragraph").first().innerText()).split("\n");
    line.cut();
    const removed = await fetch(stage.stack.url + pathTo(controllerRead, { id: controllerId }), {
      method: "DELETE",
      headers: { authorization: `Bearer ${account.token}` },
    });
    expect(removed.ok).toBe(true);
    await sleep(DEAF_MS);
    line.pass();
    await alarm().getByText("해소됨").waitFor(SOON);
    expect(await alarm().getByText(name, { exact: true }).count()).toBe(1);
    await alarm().getByText(VALVE).waitFor();
    expect(await page.getByText(/밸브 명령 전달 실패|밸브 응답 없음/).count()).toBe(0);
    await page.getByRole("article").filter({ hasText: name }).getByRole("button", { name: "확인" }).click();
    await page.getByRole("button", { name: "확인 처리" }).click();
    await alarm().waitFor({ state: "detached" });
    await page.getByRole("radio", { name: "지난 경보" }).check();
    await page.getByText(name, { exact: true }).first().waitFor();
  });
});
