import { setTimeout as sleep } from "node:timers/promises";
import { controllerCommand } from "@mulkko/shared/rest/operations/controllers";
import { launchChromium } from "@mulkko/testing/engines/chromium";
import { type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { newVisitor } from "@mulkko/testing/stack/visitor";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signInOnPage } from "../pages/login.ts";
import { openPanel, type ValvePanel } from "../pages/valve-panel.ts";

/** Time for which the relay runs no instruction, ms. */
const STOPPED_MS = 40_000;

/** SIGSTOP: connections stay and the kernel accepts data, but the process does not read it. */
describe("a relay that is stopped and continues", () => {
  let stack: Stack;
  let browser: Browser;
  let page: Page;
  let panel: ValvePanel;
  let account: SignedIn;
  let controllerId: string;
  const signal = (name: NodeJS.Signals): void => {
    const pid = stack.relay.pid();
    if (pid === undefined) throw new Error("the relay does not run");
    process.kill(pid, name);
  };
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack(), launchChromium()]);
    account = await signIn(stack.url, "farmer");
    controllerId = String((await account.controllers()).find(({ type }) => type === "CON04V")?.id);
    const context = await newVisitor(browser, { viewport: "phone", locale: "ko-KR", colorScheme: "light" });
    page = await context.newPage();
    await signInOnPage(page, stack.url, "farmer");
    panel = await openPanel(page, stack.url, controllerId, 1);
    await panel.words.filter({ hasText: "닫힘" }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  it("[CMD-10] opens nothing that was pressed before, by a user or by a program without a press time", async () => {
    const body = { uuid: controllerId, command: "onoff", deviceType: "controller", channel: 2, payload: 1 };
    const open = (change = {}): Promise<Response> =>
      account.post(controllerCommand.path, { ...body, maxRunSeconds: 60, ...change });
    signal("SIGSTOP");
    const stoppedAt = performance.now();
    await panel.slideFor(5);
    const program = open();
    const timed = open({ channel: 3, pressedAt: new Date().toISOString() });
    await page.getByText("열기 명령이 전해졌는지 알 수 없습니다").first().waitFor({ timeout: STOPPED_MS });
    await sleep(Math.max(0, STOPPED_MS - (performance.now() - stoppedAt)));
    signal("SIGCONT");
    for (const answer of [await program, await timed]) {
      expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining("command-expired")]);
    }
    await page
      .getByText(/열지 않았습니다/)
      .first()
      .waitFor({ timeout: 60_000 });
    const commands = await (await account.get("/relay/commands")).text();
    expect(commands).not.toContain('"accepted"');
    // Unknown until the relay has read the controller again.
    await expect.poll(() => panel.words.innerText(), { timeout: 60_000 }).toBe("닫힘");
  });

  it("[CMD-10] opens what is pressed afterwards", async () => {
    await expect.poll(() => panel.words.innerText(), { timeout: 60_000 }).toBe("닫힘");
    await panel.slideFor(5);
    await expect.poll(() => panel.words.innerText(), { timeout: 30_000 }).toBe("열림");
    await panel.closeNow();
    await expect.poll(() => panel.words.innerText(), { timeout: 30_000 }).toBe("닫힘");
  });
});
