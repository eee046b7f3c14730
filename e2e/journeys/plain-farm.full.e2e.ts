import { launchChromium } from "@mulkko/testing/engines/chromium";
import { type BareStack, type Habits, startBare } from "@mulkko/testing/stack/start-plain-api";
import { newVisitor, type Visitor } from "@mulkko/testing/stack/visitor";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openModes } from "../pages/controller.ts";
import { formOn } from "../pages/form.ts";
import { enterAs } from "../pages/login.ts";
import { sensorList } from "../pages/sensors.ts";
import { openPanel } from "../pages/valve-panel.ts";
import { wordsOf } from "../pages/words.ts";

/** Timeout for a machine under load, in front of an API that is slow or carries commands out late. */
const SLOW = { timeout: 90_000 };
const HOURS_2 = 2 * 3_600_000;
const SOIL = "토양 1";

/** Habits of other people's farm APIs: from the sign-in on, or for a while once the farm was loaded. */
const FARMS: readonly { name: string; habits: Habits; emptyForMs?: number }[] = [
  { name: "keeps to the contract", habits: {} },
  { name: "carries commands out late", habits: { commandsLateMs: 8_000 } },
  { name: "carries a command out after the next one", habits: { overtakenMs: 8_000 } },
  { name: "keeps one session an account", habits: { oneSession: true } },
  { name: "keeps a flag for each mode", habits: { flagEachMode: true } },
  { name: "has log rows only where a valve moves", habits: { rowsOnMovement: true } },
  { name: "answers 405 to PUT", habits: { writesBy: "POST" } },
  { name: "answers 405 to POST", habits: { writesBy: "PUT" } },
  { name: "takes forms alone", habits: { bodies: "form" } },
  { name: "has odd fields", habits: { oddFields: true } },
  { name: "dates its rows two hours ahead", habits: { aheadMs: HOURS_2 } },
  { name: "has empty lists for a minute", habits: {}, emptyForMs: 60_000 },
  { name: "answers 500 after the deed", habits: { afterDeed: "500" } },
  { name: "answers slowly", habits: { slowMs: 1_500 } },
];
const VISITORS: readonly Visitor[] = [
  { viewport: "phone", locale: "ko-KR", colorScheme: "light" },
  { viewport: "desktop", locale: "en-US", colorScheme: "dark" },
  { viewport: "phone", locale: "zh-CN", colorScheme: "dark" },
];

describe.each(FARMS.map((farm, index) => ({ ...farm, visitor: VISITORS[index % VISITORS.length] })))(
  "a farmer in front of a farm API that $name",
  ({ habits, emptyForMs, visitor = { viewport: "phone", locale: "ko-KR", colorScheme: "light" } }) => {
    const say = wordsOf(visitor.locale);
    const isFailing = habits.afterDeed !== undefined;
    let stack: BareStack;
    let browser: Browser;
    let context: BrowserContext;
    let page: Page;
    const faults: string[] = [];
    const go = (path: string) => page.goto(stack.url + path);
    const openValve = () => openPanel(page, stack.url, stack.controllerId, 1, say);
    const said = (text: string) => page.getByText(text).first().waitFor(SLOW);

    beforeAll(async () => {
      [stack, browser] = await Promise.all([startBare(), launchChromium()]);
      context = await newVisitor(browser, visitor);
      page = await context.newPage();
      page.on("pageerror", (error) => faults.push(String(error)));
      await stack.adopt(habits);
    });
    afterAll(async () => {
      await browser?.close();
      await stack?.close();
    });

    it("[dashboard] signs in and shows a reading as it arrives", async () => {
      await go("/login");
      await enterAs(page, stack.username, stack.password);
      await page.waitForURL("**/dashboard", SLOW);
      await said(SOIL);
      await stack.measure(43.7);
      await said("43.7");
    });

    it("[POLL-9] keeps the farm while its lists are empty for a while", async () => {
      if (emptyForMs === undefined) return;
      await stack.adopt({ emptyLists: true });
      await page.waitForTimeout(emptyForMs);
      await page.getByText(SOIL).first().waitFor();
      await stack.adopt({ emptyLists: false });
    });

    it("[spec 2] finds the sensor in the list, and its charts", async () => {
      await go("/sensors");
      await sensorList(page, say).row(SOIL).waitFor(SLOW);
      await go(`/sensors/type?id=${stack.sensorId}&deviceType=SMS`);
      await page.locator("canvas").first().waitFor(SLOW);
      await said("43.7");
    });

    it("[CMD-1] opens the valve and closes it, confirmed by its reports", async () => {
      const panel = await openValve();
      const state = (words: string) => expect.poll(() => panel.words.innerText(), SLOW).toBe(words);
      // A log with rows only for a valve's movements does not vouch for a resting controller (ONL-1).
      await state(say(habits.rowsOnMovement ? "common:valve.unknown" : "common:valve.closed"));
      if (visitor.viewport === "phone") await panel.slideFor(5);
      else await panel.openFor(5);
      // The slide of a controller in an unknown state leads to a question with a warning.
      if (habits.rowsOnMovement) {
        const question = page.getByRole("dialog");
        await question.getByText(say("controller:warning.unknown")).waitFor();
        await question.getByRole("button", { name: say("common:runTime.open", { count: 5 }) }).click();
      }
      await state(say("common:valve.open"));
      await panel.closeNow();
      await state(say("common:valve.closed"));
    });

    it("[MODE-4] switches to a mode, then to another, and the first is off", async () => {
      const modes = await openModes(page, say, stack.url, stack.controllerId, 1);
      const inCharge = (mode: "automatic" | "reservation") =>
        expect.poll(() => modes.line(mode).innerText(), SLOW).toContain(say("controller:inCharge"));
      await modes.open("automatic");
      await modes.fill("low", "20");
      await modes.fill("minutes", "10");
      await modes.save();
      await inCharge("automatic");
      await modes.open("reservation");
      await modes.fill("time", "06:30");
      await modes.fill("minutes", "15");
      await modes.save();
      // This ends the automatic mode: the page asks first.
      await modes.confirm("on");
      await inCharge("reservation");
      await expect
        .poll(() => modes.line("automatic").innerText(), SLOW)
        .not.toContain(say("controller:inCharge"));
    });

    it("[WAT-3] finds the schedule in the plan of the day", async () => {
      await go("/irrigation");
      await said("06:30");
    });

    it("[form] renames the sensor", async () => {
      await go(`/sensors/edit?id=${stack.sensorId}`);
      const form = formOn(page, say("common:action.save"));
      await form.field("name").waitFor(SLOW);
      await form.fill({ name: `${SOIL} 앞` });
      await form.send();
      if (isFailing) {
        await form.failure.waitFor(SLOW);
        await go("/sensors");
      } else {
        await page.waitForURL((url) => url.pathname !== "/sensors/edit", SLOW);
        await go("/sensors");
      }
      await sensorList(page, say).row(`${SOIL} 앞`).waitFor(SLOW);
    });

    it("[notifications] reads the bell's list", async () => {
      await go("/dashboard");
      await page.getByTestId("bell").click();
      await page.getByRole("radio", { name: say("shell:bell.notifications") }).check();
      await page.getByTestId("bell-line").first().waitFor(SLOW);
    });

    it("[CMD-15] asks before a log-out after which the relay could not close the valve", async () => {
      if (!habits.oneSession) return;
      const panel = await openValve();
      if (visitor.viewport === "phone") await panel.slideFor(5);
      else await panel.openFor(5);
      await expect.poll(() => panel.words.innerText(), SLOW).toBe(say("common:valve.open"));
      await go("/logout");
      const question = page.getByRole("alertdialog", { name: say("account:leave.title", { count: 1 }) });
      await question.waitFor(SLOW);
      await question.getByRole("button", { name: say("account:leave.confirm") }).click();
      await page.getByText(say("account:leave.closing", { count: 1 })).waitFor();
      await page.waitForURL("**/login", SLOW);
      await enterAs(page, stack.username, stack.password);
      const again = await openValve();
      await expect.poll(() => again.words.innerText(), SLOW).toBe(say("common:valve.closed"));
    });

    it("[ROW-1] lists every device with odd fields, and names the fields to an administrator", async () => {
      if (!habits.oddFields) return;
      await go("/sensors");
      await expect.poll(() => page.getByTestId("sensor-row").count(), SLOW).toBe(1);
      await go("/sensors/cot");
      await expect.poll(() => page.getByTestId("channel-cell").count(), SLOW).toBe(1);
      await go("/irrigation");
      await said("논산");
      await stack.promote();
      await go("/logout");
      await page.waitForURL("**/login", SLOW);
      await enterAs(page, stack.username, stack.password);
      await go("/adminpage");
      const odd = page.locator("section").filter({ hasText: say("morning:odd.title") });
      await odd.getByText("fleet: description").waitFor(SLOW);
      await odd.getByText(say("morning:odd.about")).waitFor();
      // The sensor and the controller are counted all the same.
      await expect
        .poll(() => page.getByTestId("state-count").allInnerTexts(), SLOW)
        .toSatisfy((counts: string[]) => counts.reduce((sum, count) => sum + Number(count), 0) === 2);
    });

    it("[session] logs out, and no page has failed", async () => {
      await go("/logout");
      await page.waitForURL("**/login", SLOW);
      expect(faults).toEqual([]);
    });
  },
);
