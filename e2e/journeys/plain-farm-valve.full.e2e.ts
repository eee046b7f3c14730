import { channelDelete } from "@mulkko/shared/rest/operations/controllers";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { launchChromium } from "@mulkko/testing/engines/chromium";
import { type BareStack, startBare } from "@mulkko/testing/stack/start-plain-api";
import { newVisitor } from "@mulkko/testing/stack/visitor";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { enterAs } from "../pages/login.ts";
import { openPanel, type ValvePanel } from "../pages/valve-panel.ts";

const SOON = { timeout: 90_000 };
/** ms for which an opening waits in front of the valve: until after its close was pressed and confirmed. */
const LATE_MS = 40_000;

describe("a valve behind a plain farm API that carries commands out late", () => {
  let stack: BareStack;
  let browser: Browser;
  let page: Page;
  let panel: ValvePanel;
  const state = (words: string) =>
    vi.waitFor(async () => expect(await panel.words.innerText()).toBe(words), { ...SOON, interval: 100 });

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startBare(), launchChromium()]);
    const visitor = { viewport: "phone", locale: "ko-KR", colorScheme: "light" } as const;
    page = await (await newVisitor(browser, visitor)).newPage();
    await page.goto(`${stack.url}/login`);
    await enterAs(page, stack.username, stack.password);
    panel = await openPanel(page, stack.url, stack.controllerId, 1);
    await state("닫힘");
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  it("[CMD-14] closes an opening that arrives after its close, and names its user and press time", async () => {
    await stack.adopt({ commandsLateMs: LATE_MS });
    await panel.slideFor(5);
    // The panel says "opening" before the farm API has the command; the farm API decides what is late.
    await panel.news.filter({ hasText: "농장 서버가 받았습니다" }).waitFor(SOON);
    await stack.adopt({ commandsLateMs: 0 });
    await panel.closeNow();
    await state("닫힘");
    await page.goto(`${stack.url}/alarms`);
    await page
      .getByText(/김농부 님이 .*\d\d:\d\d.*에 누른 열기를 농장 서버가 이제야 실행했습니다/)
      .waitFor(SOON);
  });

  it("[CMD-15] deletes a channel with an open valve only once that is closed", async () => {
    await page.goto(`${stack.url}/dashboard`);
    panel = await openPanel(page, stack.url, stack.controllerId, 1);
    await state("닫힘");
    await panel.slideFor(5);
    await state("열림");
    const headers = { authorization: "Bearer bare-token" };
    const gone = fetch(stack.url + pathTo(channelDelete, { channelId: 11 }), { method: "DELETE", headers });
    await state("닫힘");
    // This API deletes nothing; the call has reached it.
    expect((await gone).status).toBe(404);
  });

  it("[CMD-15] keeps a channel whose valve does not close, and deletes it if the user insists", async () => {
    await panel.slideFor(5);
    await state("열림");
    await stack.adopt({ commandsLateMs: LATE_MS });
    await page.getByRole("button", { name: "1CH 삭제" }).click();
    const question = page.getByRole("alertdialog");
    await question.getByRole("button", { name: "삭제", exact: true }).click();
    await question.getByText("밸브를 닫고 삭제하는 중").waitFor();
    await question.getByText("밸브가 닫혔다는 보고가 아직 없어").waitFor(SOON);
    await question.getByRole("button", { name: "닫지 않고 삭제" }).click();
    await page.getByText("삭제했습니다", { exact: true }).waitFor(SOON);
  });
});
