import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { launchChromium } from "@mulkko/testing/engines/chromium";
import { DEMO_PASSWORD, signIn } from "@mulkko/testing/stack/account";
import { startBalancer } from "@mulkko/testing/stack/haproxy";
import { publishAsDevice } from "@mulkko/testing/stack/publish-as-device";
import { startCluster } from "@mulkko/testing/stack/start-cluster";
import { startBare } from "@mulkko/testing/stack/start-plain-api";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { newVisitor } from "@mulkko/testing/stack/visitor";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { typeLogin } from "../pages/login.ts";
import { openPanel } from "../pages/valve-panel.ts";

const SOIL_SERIAL = 24110101;
const RUN_MINUTES = 1;
/** Folder for a screenshot of each client; none are taken if it is not set. */
const PICTURES = process.env.PICTURES;
/** Without MQTT a reading is polled every 10 s. */
const SHOWN = { timeout: 60_000, interval: 250 };
/** A run of a minute, read every 5 s while it is open. */
const CLOSED = { timeout: 120_000, interval: 500 };

/** Address of a page, and its farm's account. */
interface Place {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly sensorId: string;
  readonly controllerId: string;
  /** Make the soil sensor measure a value. */
  measure(moisture: number): Promise<void>;
  close(): Promise<void>;
}

const DEMO = { username: "farmer", password: DEMO_PASSWORD };

/** Return the demo farm at its public address. */
async function demoAt(
  url: string,
  devices: Pick<Stack, "mqttPort" | "dataDir">,
  close: () => Promise<void>,
): Promise<Place> {
  const account = await signIn(url, DEMO.username);
  return {
    ...DEMO,
    url,
    sensorId: String((await account.sensors()).find(({ serial }) => Number(serial) === SOIL_SERIAL)?.id),
    controllerId: String((await account.controllers()).find(({ type }) => type === "CON04V")?.id),
    measure(moisture) {
      // Newer than the demo's own next message.
      const at = new Date(Date.now() + 30_000).toISOString();
      return publishAsDevice(devices, SOIL_SERIAL, JSON.stringify({ moisture, at }));
    },
    close,
  };
}

async function oneNode(): Promise<Place> {
  const stack = await startStack();
  return demoAt(stack.url, stack, () => stack.close());
}

async function fourNodes(): Promise<Place> {
  const cluster = await startCluster(4, { TRUST_PROXY: "127.0.0.1" });
  const balancer = await startBalancer(cluster.nodes.map(({ url }) => url));
  await expect
    .poll(async () => new Set(Object.values(await balancer.health())), SHOWN)
    .toEqual(new Set(["UP"]));
  return demoAt(balancer.url, cluster, async () => {
    await balancer.stop();
    await cluster.close();
  });
}

describe.each([
  ["one relay with the embedded store", "one", oneNode],
  ["four relays over one Redis, behind the balancer", "four", fourNodes],
  ["one relay in front of an API without any extension", "bare", startBare],
] as const)("the client in front of %s", (_words, name, start) => {
  let place: Place;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await place?.close();
  });

  it("[spec 4] a farmer signs in, sees a reading arrive, opens a valve for a minute, and it closes by itself", async () => {
    place = await start();
    const visitor = { viewport: "desktop", locale: "ko-KR", colorScheme: "light" } as const;
    page = await (await newVisitor(browser, visitor)).newPage();
    const wrong: string[] = [];
    page.on("pageerror", (error) => wrong.push(String(error)));
    await page.goto(place.url);
    await page.waitForURL("**/login");
    await typeLogin(page, place.username, place.password);
    await page.waitForURL("**/dashboard");

    await page.goto(`${place.url}/sensors/type?id=${place.sensorId}`);
    await page.getByText("실시간").first().waitFor();
    await place.measure(44.4);
    await expect.poll(() => page.locator("main").innerText(), SHOWN).toContain("44.4");

    const panel = await openPanel(page, place.url, place.controllerId, 1);
    await expect.poll(() => panel.words.innerText(), SHOWN).toBe("닫힘");
    await panel.openFor(RUN_MINUTES);
    await expect.poll(() => panel.words.innerText(), SHOWN).toBe("열림");
    await expect.poll(() => panel.news.innerText(), SHOWN).toContain("확인");
    if (PICTURES !== undefined) {
      await mkdir(PICTURES, { recursive: true });
      await page.screenshot({ path: join(PICTURES, `${name}.png`) });
    }
    await expect.poll(() => panel.words.innerText(), CLOSED).toBe("닫힘");
    expect(wrong).toEqual([]);
  });
});
