import { setTimeout as sleep } from "node:timers/promises";
import { launchChromium } from "@mulkko/testing/engines/chromium";
import { type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { type BadLine, startBadLine } from "@mulkko/testing/stack/bad-line";
import { LIVE_SOCKET } from "@mulkko/testing/stack/live-frames";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { newVisitor } from "@mulkko/testing/stack/visitor";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signInOnPage } from "../pages/login.ts";
import { openPanel, type ValvePanel } from "../pages/valve-panel.ts";

/** Time for which no data leaves the phones, ms: longer than an opening is valid, and than a page waits. */
const HELD_MS = 30_000;
/** Error of the second phone's clock, ms. */
const WRONG_BY_MS = -5 * 3_600_000;

/** One channel's panel on a phone, over a line that will turn bad. */
interface Phone {
  readonly number: number;
  readonly context: BrowserContext;
  readonly page: Page;
  readonly panel: ValvePanel;
}

describe("a press on a bad line", () => {
  let stack: Stack;
  let browser: Browser;
  let line: BadLine;
  let account: SignedIn;
  let controllerId: string;
  let phones: Phone[];
  /** The panels of the same channels on a good line. */
  let watchers: Phone[];

  const look = async (
    url: string,
    number: number,
    prepare?: (page: Page) => Promise<void>,
  ): Promise<Phone> => {
    const context = await newVisitor(browser, { viewport: "phone", locale: "ko-KR", colorScheme: "light" });
    const page = await context.newPage();
    await prepare?.(page);
    await signInOnPage(page, url, "farmer");
    const panel = await openPanel(page, url, controllerId, number);
    await panel.words.filter({ hasText: "닫힘" }).waitFor();
    return { number, context, page, panel };
  };
  const commandsOf = async (): Promise<string> => (await account.get("/relay/commands")).text();

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack(), launchChromium()]);
    line = await startBadLine(stack.url);
    account = await signIn(stack.url, "farmer");
    controllerId = String((await account.controllers()).find(({ type }) => type === "CON04V")?.id);
    const overWebSocket = await look(line.url, 1);
    // Live values by polling, on a phone with a wrong clock.
    const polling = await look(line.url, 2, async (page) => {
      await page.routeWebSocket(LIVE_SOCKET, (socket) => socket.close());
      await page.addInitScript((wrongBy) => {
        const RealDate = Date;
        class WrongDate extends RealDate {
          constructor(...parts: [] | [string | number | Date]) {
            if (parts.length === 0) super(RealDate.now() + wrongBy);
            else super(...parts);
          }
          static override now(): number {
            return RealDate.now() + wrongBy;
          }
        }
        Object.defineProperty(globalThis, "Date", { value: WrongDate });
      }, WRONG_BY_MS);
    });
    phones = [overWebSocket, polling];
    watchers = await Promise.all(phones.map(({ number }) => look(stack.url, number)));
  });
  afterAll(async () => {
    await browser?.close();
    await line?.close();
    await stack?.close();
  });

  it("[CMD-10] opens in time on a good line, over a WebSocket and by polling, and with a clock that is hours off", async () => {
    for (const { panel } of phones) {
      await panel.slideFor(5);
      await expect.poll(() => panel.words.innerText(), { timeout: 30_000 }).toBe("열림");
      await panel.closeNow();
      await expect.poll(() => panel.words.innerText(), { timeout: 30_000 }).toBe("닫힘");
    }
  });

  it("[CMD-11] opens nothing that waited for half a minute, and says that it was not opened", async () => {
    const seen = new Set<string>();
    let over = false;
    const watching = (async () => {
      while (!over) {
        for (const { panel } of watchers) seen.add(await panel.words.innerText());
        await sleep(50);
      }
    })();
    try {
      for (const { panel } of phones) await panel.choose(10);
      const ends = await Promise.all(phones.map(({ panel }) => panel.grip()));
      line.hold("requests");
      const heldAt = performance.now();
      // At once: a page that has noticed the bad line refuses the slide.
      await Promise.all(ends.map((end) => end()));
      for (const { panel } of phones) await panel.news.waitFor();
      for (const { page } of phones) {
        const unsure = page.getByText("열기 명령이 전해졌는지 알 수 없습니다").first();
        await unsure.waitFor({ timeout: 2 * HELD_MS });
      }
      await sleep(Math.max(0, HELD_MS - (performance.now() - heldAt)));
      line.pass();
      for (const { page } of phones) {
        await page
          .getByText(/열지 않았습니다/)
          .first()
          .waitFor({ timeout: HELD_MS });
      }
      await sleep(5_000);
    } finally {
      line.pass();
      over = true;
      await watching;
    }
    expect([...seen]).toEqual(["닫힘"]);
    for (const { panel } of phones) expect(await panel.words.innerText()).toBe("닫힘");
    expect(await commandsOf()).toMatch(/command-expired|command-withdrawn/);
  });

  it("[CMD-12] withdraws an opening after a reload of the page that gave it up", async () => {
    const [phone] = phones;
    if (phone === undefined) throw new Error("there is no phone");
    await expect.poll(() => phone.panel.words.innerText()).toBe("닫힘");
    await phone.panel.choose(10);
    const end = await phone.panel.grip();
    line.hold("answers");
    await end();
    // The relay has carried it out, and the phone never receives the answer.
    const [watcher] = watchers;
    await expect.poll(() => watcher?.panel.words.innerText(), { timeout: 30_000 }).toBe("열림");
    line.hold("both");
    await phone.page.getByText("열기 명령이 전해졌는지 알 수 없습니다").first().waitFor({ timeout: HELD_MS });
    line.cut();
    await phone.page.close();
    expect(await watcher?.panel.words.innerText()).toBe("열림");
    line.pass();
    const next = await phone.context.newPage();
    await next.goto(`${line.url}/dashboard`);
    await expect.poll(() => watcher?.panel.words.innerText(), { timeout: 30_000 }).toBe("닫힘");
  });
});
