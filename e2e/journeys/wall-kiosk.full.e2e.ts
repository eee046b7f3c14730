import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { controllerCommand } from "@mulkko/shared/rest/operations/controllers";
import { relayPath } from "@mulkko/shared/rest/routes";
import { launchChromium } from "@mulkko/testing/engines/chromium";
import { type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { type ControllerDevice, connectController } from "@mulkko/testing/stack/controller-device";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pairWall } from "../pages/wall.ts";

const CONTROLLER_SERIAL = 24110901;
const CHANNEL = 1;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Longer than two of the page's checks for a reload, which run every 10 s. */
const LOOKED_AT_MS = 25_000;
/** Time until an unconfirmed command becomes an alarm. */
const WITHIN = { timeout: 120_000, interval: 250 };
/** The hour of the farm's night in which each screen has its minute: 04:30, in Seoul. */
const QUIET_MS = 4.5 * HOUR - 9 * HOUR;
/** Offset of the servers' clocks: with it they are at that hour. */
const AHEAD_MS = (((QUIET_MS - (Date.now() % DAY)) % DAY) + DAY) % DAY;
const SHIFTED = pathToFileURL(join(import.meta.dirname, "../../testing/stack/shifted-clock.ts")).href;
/** Age of a page, by its own clock, at which it reloads in its minute. */
const OLD_MS = 3 * HOUR;

/** Add the stored age to the page's clock, once; runs in the page. */
function ageOnce(): void {
  const age = Number(sessionStorage.getItem("age"));
  sessionStorage.removeItem("age");
  const now = performance.now.bind(performance);
  performance.now = () => now() + age;
}

/** Count the started tones; runs in the page. */
function countTones(): void {
  const begin = OscillatorNode.prototype.start;
  Object.assign(window, { tones: 0 });
  OscillatorNode.prototype.start = function (this: OscillatorNode, when?: number) {
    Object.assign(window, { tones: Number(Reflect.get(window, "tones")) + 1 });
    begin.call(this, when);
  };
}

/**
 * Months of a control room in minutes: the servers' clocks are set to the hour, the page's clock is ahead,
 * and the valve never answers.
 */
describe("a wall that runs for months", () => {
  let stack: Stack;
  let browser: Browser;
  let page: Page;
  let farmer: SignedIn;
  let valve: ControllerDevice;
  let controllerId: string;
  const command = async (payload: 1 | 2): Promise<void> => {
    const body = { uuid: controllerId, command: "onoff", channel: CHANNEL, payload };
    const whole = payload === 1 ? { ...body, maxRunSeconds: 1_800 } : body;
    const answer = await farmer.post(controllerCommand.path, whole);
    expect([answer.status, await answer.text()]).toEqual([200, expect.anything()]);
  };
  const tones = () => page.evaluate(() => Number(Reflect.get(window, "tones")));
  const isPinned = () => page.locator("[data-testid=wall-page][data-page=valves]").isVisible();
  const night = () => page.locator("[data-night]").count();
  /** Put a mark on the page that a reload removes. */
  const mark = () => page.evaluate(() => void Object.assign(window, { marked: true }));
  const isMarked = () => page.evaluate(() => Reflect.get(window, "marked") === true).catch(() => true);

  const sayClosed = () => valve.say(CHANNEL, { onoff: 2, at: new Date(Date.now() + AHEAD_MS).toISOString() });
  /** Load the page as one that is hours old. */
  const growOld = async (): Promise<void> => {
    await page.evaluate((age) => sessionStorage.setItem("age", `${age}`), OLD_MS);
    await page.reload();
    await mark();
  };

  beforeAll(async () => {
    [stack, browser] = await Promise.all([
      startStack({ NODE_OPTIONS: `--import ${SHIFTED}`, CLOCK_AHEAD_MS: `${AHEAD_MS}` }),
      launchChromium(),
    ]);
    farmer = await signIn(stack.url, "farmer");
    controllerId = String(
      (await farmer.controllers()).find(({ serial }) => Number(serial) === CONTROLLER_SERIAL)?.id,
    );
    // The demo's own device would obey.
    await stack.api.stop();
    await stack.api.start({ DEMO: "off" });
    valve = await connectController(stack, CONTROLLER_SERIAL);
    await sayClosed();
    const context = await browser.newContext({
      viewport: { width: 1920, height: 1080 },
      locale: "ko-KR",
      serviceWorkers: "block",
    });
    page = await context.newPage();
    await page.addInitScript(countTones);
    await page.addInitScript(ageOnce);
    await pairWall(page, stack.url, farmer, {
      pages: ["overview", "alarms", "valves"],
      sound: true,
      night: { from: "00:00", to: "23:59" },
    });
  });
  afterAll(async () => {
    await valve?.close();
    await browser?.close();
    await stack?.close();
  });

  it("[wall] is dimmed at night, and silent", async () => {
    await expect.poll(night, WITHIN).toBe(1);
    expect(await tones()).toBe(0);
  });

  it("[ALM-7] pins the page of the most urgent alarm, undimmed, and sounds until it is over", async () => {
    await command(1);
    await expect.poll(() => valve.received.length, WITHIN).toBeGreaterThan(0);
    await expect.poll(night, WITHIN).toBe(0);
    await expect.poll(isPinned, WITHIN).toBe(true);
    await expect.poll(tones, WITHIN).toBeGreaterThanOrEqual(3);
    const before = await tones();
    // It sounds every 20 s; a page would have turned twice by then.
    await expect.poll(tones, WITHIN).toBeGreaterThan(before + 3);
    expect(await isPinned()).toBe(true);
  });

  it("[wall] does not reload in the quiet minute of a night while a most urgent alarm is active", async () => {
    await growOld();
    await expect.poll(isPinned, WITHIN).toBe(true);
    await sleep(LOOKED_AT_MS);
    expect(await isMarked()).toBe(true);
  });

  it("[wall] dims the night again once it is over, reloads the page, and shows its farm again", async () => {
    await command(2);
    await expect.poll(() => valve.received.at(-1)?.state, WITHIN).toBe(2);
    await sayClosed();
    await expect.poll(isMarked, WITHIN).toBe(false);
    await expect.poll(night, WITHIN).toBe(1);
    await page.getByTestId("reading-tile").first().waitFor();
    expect(await tones()).toBe(0);
    // A young page does not reload.
    await mark();
    await sleep(LOOKED_AT_MS);
    expect(await isMarked()).toBe(true);
  });

  it("[wall] reloads after ten minutes without a connection where the server answers, and only there", async () => {
    const dark = await page.context().newPage();
    await dark.clock.install();
    await dark.goto(`${stack.url}/wall`);
    await dark.getByTestId("wall-page").waitFor();
    page = dark;
    await mark();
    await stack.relay.stop();
    await dark.clock.runFor(11 * MINUTE);
    await dark.getByTestId("stale-banner").waitFor();
    expect(await isMarked()).toBe(true);
    await dark.routeWebSocket(/.*/, (socket) => void socket.close());
    await dark.route(`**${relayPath.socketIo}**`, (route) => route.abort());
    await stack.relay.start();
    await dark.clock.runFor(MINUTE);
    await expect.poll(isMarked, WITHIN).toBe(false);
    await dark.getByRole("heading").first().waitFor();
  });
});
