import { channelState } from "@mulkko/shared/rest/operations/controllers";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { launchChromium } from "@mulkko/testing/engines/chromium";
import { type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { publishAsDevice } from "@mulkko/testing/stack/publish-as-device";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { newVisitor } from "@mulkko/testing/stack/visitor";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signInOnPage } from "../pages/login.ts";
import { openPanel, type ValvePanel } from "../pages/valve-panel.ts";

const SOIL_SERIAL = 24110101;
/** Four times the 10 s of a watched `latest/mqtt` (POLL-1), and the drawing. */
const SEEN_WITHIN_MS = 45_000;

describe("a relay without MQTT that only polls", () => {
  let stack: Stack;
  let browser: Browser;
  let account: SignedIn;
  let page: Page;
  let panel: ValvePanel;
  let controllerId: string;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack({ RELAY_MQTT_URL: "off" }), launchChromium()]);
    account = await signIn(stack.url, "farmer");
    controllerId = String((await account.controllers()).find(({ type }) => type === "CON04V")?.id);
    const context = await newVisitor(browser, { viewport: "desktop", locale: "ko-KR", colorScheme: "light" });
    page = await context.newPage();
    await signInOnPage(page, stack.url, "farmer");
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  it("[POLL-1] shows a reading on the open screen at the next poll", async () => {
    const soil = (await account.sensors()).find(({ serial }) => Number(serial) === SOIL_SERIAL);
    await page.goto(`${stack.url}/sensors/type?id=${soil?.id}`);
    const shown = page.getByText("43.9").first().waitFor({ timeout: SEEN_WITHIN_MS });
    // Newer than the demo's own next message, which would otherwise replace it before a poll.
    const at = new Date(Date.now() + 30_000).toISOString();
    await publishAsDevice(stack, SOIL_SERIAL, JSON.stringify({ moisture: 43.9, soilTemperature: 17, at }));
    await shown;
  });

  it("[POLL-6] opens a valve, and confirms it by polling", async () => {
    panel = await openPanel(page, stack.url, controllerId, 1);
    await expect.poll(() => panel.words.innerText(), { timeout: 30_000 }).toBe("닫힘");
    await panel.openFor(1);
    await expect.poll(() => panel.words.innerText(), { timeout: 30_000 }).toBe("열림");
  });

  it("[RUN-2] closes a valve at its end though the relay was killed meanwhile", async () => {
    const [channel] = (await account.controllers()).find(({ id }) => id === controllerId)?.channels ?? [];
    const token = { headers: { authorization: `Bearer ${account.token}` } };
    const serial = (await account.controllers()).find(({ id }) => id === controllerId)?.serial;
    const direct =
      stack.apiUrl + pathTo(channelState, { serial: String(serial), channelId: String(channel?.id) });
    const onoff = async (): Promise<unknown> => {
      const state: unknown = await (await fetch(direct, token)).json();
      return typeof state === "object" && state !== null && "onoff" in state ? state.onoff : state;
    };
    expect(await onoff()).toBe(1);
    await stack.relay.kill();
    await expect.poll(onoff, { timeout: 90_000, interval: 1_000 }).toBe(2);
    await stack.relay.start();
    await expect.poll(() => panel.words.innerText(), { timeout: 60_000 }).toBe("닫힘");
  });
});
