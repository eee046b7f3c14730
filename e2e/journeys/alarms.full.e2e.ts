import { launchChromium } from "@mulkko/testing/engines/chromium";
import { type ControllerDevice, connectController } from "@mulkko/testing/stack/controller-device";
import { publishAsDevice } from "@mulkko/testing/stack/publish-as-device";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { newVisitor, type Visitor, visitors } from "@mulkko/testing/stack/visitor";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signInOnPage } from "../pages/login.ts";
import { type Say, wordsOf } from "../pages/words.ts";

const SOIL_SERIAL = 24110101;
const CONTROLLER_SERIAL = 24110901;
const CHANNEL = 1;
const VISITORS = visitors(
  { viewport: "phone", locale: "ko-KR", colorScheme: "light" },
  { viewport: "desktop", locale: "en-US", colorScheme: "dark" },
  { viewport: "phone", locale: "zh-CN", colorScheme: "light" },
);
/** Maximum time of an alarm from a device to a screen on a busy machine. */
const EVERYTHING_MS = 60_000;

/** The demo's farm without its virtual devices: this journey sends messages in their names. */
describe("alarms in front of users", () => {
  let stack: Stack;
  let browser: Browser;
  let valve: ControllerDevice;
  /** A second user of the same account with the same list, in Korean on a desktop. */
  let other: Page;
  const pages = new Map<Visitor, Page>();
  const sayBattery = (battery: number) =>
    publishAsDevice(
      stack,
      SOIL_SERIAL,
      JSON.stringify({ moisture: 31, soilTemperature: 17, battery, rssi: -70, at: new Date().toISOString() }),
    );
  const sayValve = (onoff: 1 | 2) => valve.say(CHANNEL, { onoff, at: new Date().toISOString() });
  /** The line of the list about a device. */
  const lineOf = (page: Page, words: string) => page.getByTestId("alarm-line").filter({ hasText: words });

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack(), launchChromium()]);
    const signedIn = async (visitor: Visitor): Promise<Page> => {
      const page = await (await newVisitor(browser, visitor)).newPage();
      await signInOnPage(page, stack.url, "farmer");
      return page;
    };
    other = await signedIn({ viewport: "desktop", locale: "ko-KR", colorScheme: "light" });
    for (const visitor of VISITORS) pages.set(visitor, await signedIn(visitor));
    // Without the demo its password is no longer accepted.
    await stack.api.stop();
    await stack.api.start({ DEMO: "off" });
    valve = await connectController(stack, CONTROLLER_SERIAL);
    await sayValve(2);
    await sayBattery(80);
    await other.goto(`${stack.url}/alarms`);
  });
  afterAll(async () => {
    await valve?.close();
    await browser?.close();
    await stack?.close();
  });

  describe.each(VISITORS)("on a $viewport in $locale", (visitor) => {
    let page: Page;
    let say: Say;
    const korean = wordsOf("ko-KR");
    const press = (within: Page | Locator, name: string) =>
      within.getByRole("button", { name, exact: true }).click();
    beforeAll(() => {
      page = pages.get(visitor) ?? other;
      say = wordsOf(visitor.locale);
    });
    afterAll(async () => {
      await page.context().close();
    });

    it("[ALM-1] shows a low battery over the current page, and a press leads to it", async () => {
      await sayBattery(12);
      // A more urgent alarm may be there: the demo's other devices have fallen silent.
      await page
        .getByRole("region", { name: say("common:alarm.title"), exact: true })
        .click({ timeout: EVERYTHING_MS });
      if (visitor.viewport === "phone") await page.waitForURL("**/alarms");
      else await page.getByRole("dialog").waitFor();
      await lineOf(page, say("common:alarmType.battery")).waitFor({ timeout: EVERYTHING_MS });
      await page.goto(`${stack.url}/alarms`);
    });

    it("[ALM-2] shows an acknowledgement with its comment on the other screen as well", async () => {
      const line = lineOf(page, say("common:alarmType.battery"));
      await press(line, say("alarms:acknowledge.open"));
      await page.getByLabel(say("alarms:acknowledge.comment")).fill("배터리 갈러 갑니다");
      const there = lineOf(other, korean("common:alarmType.battery")).getByText("배터리 갈러 갑니다");
      await press(line, say("alarms:acknowledge.send"));
      await page.getByText("배터리 갈러 갑니다").waitFor();
      await there.waitFor();
    });

    it("[ALM-2] moves a finished, acknowledged alarm to the past ones", async () => {
      await sayBattery(90);
      await expect
        .poll(() => lineOf(page, say("common:alarmType.battery")).count(), { timeout: EVERYTHING_MS })
        .toBe(0);
      await page.getByRole("radio", { name: say("alarms:past.title") }).check();
      await page.getByText("배터리 갈러 갑니다").first().waitFor();
      await page.goto(`${stack.url}/alarms`);
    });

    it("[RUN-3] gives a valve that was opened at the controller its end by one press", async () => {
      await sayValve(1);
      const line = lineOf(page, say("common:alarmType.external-open"));
      await press(line, say("alarms:closeIn", { count: 10 }));
      // Chinese has brackets of its own.
      await line.getByText(/[(（]김선우[)）]/).waitFor();
      expect(await line.getByRole("button", { name: say("alarms:closeIn", { count: 10 }) }).count()).toBe(0);
    });

    it("[ALM-3] snoozes with a reason, sorts it last and grey, and ends the snooze", async () => {
      const line = lineOf(page, say("common:alarmType.external-open"));
      await press(line, say("alarms:putOff.open"));
      await press(line, say("alarms:putOff.send"));
      await line.getByText(say("alarms:putOff.reasonRequired")).waitFor();
      await line.locator("input[name=reason]").fill("수리 중");
      await line.getByRole("radio", { name: say("alarms:putOff.end.fourHours") }).check();
      await press(line, say("alarms:putOff.send"));
      await line.getByText("수리 중").waitFor();
      expect(await page.getByTestId("alarm-line").last().getAttribute("data-put-off")).toBe("true");
      await press(line, say("alarms:wake"));
      await line.getByRole("button", { name: say("alarms:putOff.open"), exact: true }).waitFor();
    });

    it("[ALM-2] keeps a recovered alarm until it is acknowledged", async () => {
      await sayValve(2);
      const line = lineOf(page, say("common:alarmType.external-open"));
      await line.filter({ hasText: say("common:alarm.over") }).waitFor();
      await press(line, say("alarms:acknowledge.open"));
      await press(line, say("alarms:acknowledge.send"));
      await line.waitFor({ state: "detached" });
    });
  });
});
