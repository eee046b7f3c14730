import { setTimeout as sleep } from "node:timers/promises";
import { controllerRead } from "@mulkko/shared/rest/operations/controllers";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { launchChromium } from "@mulkko/testing/engines/chromium";
import { type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { newVisitor } from "@mulkko/testing/stack/visitor";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signInOnPage } from "../pages/login.ts";
import { openPanel, type ValvePanel } from "../pages/valve-panel.ts";

/** The run lasts a minute; a command that is still open for the valve shows within another one. */
const RUN_MINUTES = 1;
const AFTERWARDS_MS = 2 * 60_000 + 20_000;

describe("a controller that is deleted in the middle of a run", () => {
  let stack: Stack;
  let browser: Browser;
  let page: Page;
  let panel: ValvePanel;
  let account: SignedIn;
  let controllerId: string;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack(), launchChromium()]);
    account = await signIn(stack.url, "farmer");
    controllerId = String((await account.controllers()).find(({ type }) => type === "CON04V")?.id);
    const context = await newVisitor(browser, { viewport: "desktop", locale: "ko-KR", colorScheme: "light" });
    page = await context.newPage();
    await signInOnPage(page, stack.url, "farmer");
    panel = await openPanel(page, stack.url, controllerId, 1);
    await panel.words.filter({ hasText: "닫힘" }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  it("[CMD-13] raises no failed command at the end of the run, and keeps the watering's name", async () => {
    await panel.openFor(RUN_MINUTES);
    await expect.poll(() => panel.words.innerText()).toBe("열림");
    const opened = performance.now();
    const removed = await fetch(stack.url + pathTo(controllerRead, { id: controllerId }), {
      method: "DELETE",
      headers: { authorization: `Bearer ${account.token}` },
    });
    expect(removed.ok).toBe(true);
    await page.goto(`${stack.url}/dashboard`);
    await sleep(AFTERWARDS_MS - (performance.now() - opened));
    const alarms = await (await account.get("/relay/alarms")).text();
    expect(alarms).not.toMatch(/command-(failed|unconfirmed)/);
    expect(await (await account.get("/relay/commands")).text()).not.toMatch(/"failed"|"unconfirmed"/);
    await page
      .getByRole("button", { name: /소식|알림/ })
      .first()
      .click();
    await page.getByRole("radio", { name: "활동" }).check();
    await page.getByRole("list", { name: "활동" }).getByText("1동 앞 베드 토양수분").first().waitFor();
    expect(await page.getByText("밸브 명령 전달 실패").count()).toBe(0);
  });
});
