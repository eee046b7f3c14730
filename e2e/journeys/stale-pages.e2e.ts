import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { publishAsDevice } from "@mulkko/testing/stack/publish-as-device";
import { openStage } from "@mulkko/testing/stack/stage";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setLetters } from "../pages/large-letters.ts";
import { signInOnPage } from "../pages/login.ts";
import { widerThanScreen } from "../pages/page-width.ts";
import { wordsOf } from "../pages/words.ts";

const SHIFTED = pathToFileURL(join(import.meta.dirname, "../../testing/stack/shifted-clock.ts")).href;
const MINUTE = 60_000;
const SOIL_SERIAL = 24_110_101;
const say = wordsOf("ko-KR");
const NARROW = { width: 360, height: 740 };

/** Return the addresses of a farmer's pages: each page once, those of a device for each type of device. */
async function farmerPages(account: SignedIn): Promise<string[]> {
  const sensors = await account.sensors();
  const ofType = new Map(sensors.map(({ deviceType, id }) => [`${deviceType}`, `${id}`]));
  const controllers = await account.controllers();
  const farm = sensors.find(({ clusterId }) => clusterId)?.clusterId;
  return [
    "/dashboard",
    "/sensors",
    "/sensors?by=farm",
    ...[...ofType].flatMap(([type, id]) => [
      `/sensors/type?deviceType=${type}`,
      `/sensors/datalist?deviceType=${type}`,
      `/sensors/type?id=${encodeURIComponent(id)}`,
    ]),
    "/maps",
    "/irrigation",
    `/irrigation/farm?farm=${farm}`,
    "/sensors/cot",
    ...controllers.map(({ id }) => `/sensors/cot/detail?cotId=${id}&ch=1`),
    "/alarms",
  ];
}

describe("a farm without news on a narrow phone", () => {
  const stage = openStage();
  let page: Page;
  let pages: string[];
  beforeAll(async () => {
    pages = await farmerPages(await signIn(stage.stack.url, "farmer"));
    page = await stage.visit({ viewport: "phone", locale: "ko-KR", colorScheme: "light" });
    await page.setViewportSize(NARROW);
    await signInOnPage(page, stage.stack.url, "farmer");
    await page.locator("main [data-quality=fresh]").first().waitFor();
  });
  afterAll(() => page?.context().close());

  /** Return the pages that are wider than the screen, with usual letters and twice as large. */
  async function widePages(): Promise<string[]> {
    const wide: string[] = [];
    for (const path of pages) {
      await page.goto(stage.stack.url + path);
      await page.locator("h1").first().waitFor({ state: "attached" });
      for (const times of [2, 1]) {
        await setLetters(page, times);
        const found = await widerThanScreen(page, NARROW.width);
        wide.push(...found.map((fault) => `${path}, letters ×${times}: ${fault}`));
      }
    }
    return wide;
  }

  /** Start the product again without the demo's devices, with a clock that is ahead of their last readings. */
  async function letPass(ms: number): Promise<void> {
    const env = { DEMO: "off", NODE_OPTIONS: `--import ${SHIFTED}`, CLOCK_AHEAD_MS: `${ms}` };
    await stage.stack.relay.stop();
    await stage.stack.api.stop();
    await stage.stack.api.start(env);
    await stage.stack.relay.start(env);
  }

  it("[UI-7] shows a valve's state and its control between the bars with letters twice as large", async () => {
    const panel = pages.find((path) => path.startsWith("/sensors/cot/detail")) ?? "";
    const weak = { moisture: 9, battery: 3, rssi: -70, at: new Date().toISOString() };
    await publishAsDevice(stage.stack, SOIL_SERIAL, JSON.stringify(weak));
    await setLetters(page, 2);
    await page.goto(stage.stack.url + panel);
    await page.getByRole("region", { name: say("common:alarm.title"), exact: true }).waitFor();
    const boxOf = async (locator: Locator) => (await locator.boundingBox()) ?? { y: 0, height: 10_000 };
    const state = await boxOf(page.getByTestId("valve-state"));
    const slide = await boxOf(page.getByTestId("confirm-slide"));
    const nav = await boxOf(page.getByTestId("bottom-nav"));
    expect(state.y + state.height).toBeLessThanOrEqual(slide.y);
    expect(slide.y + slide.height).toBeLessThanOrEqual(nav.y);
    expect(nav.y + nav.height).toBeLessThanOrEqual(NARROW.height + 1);
    await setLetters(page, 1);
  });

  it("[UI-1] stays as wide as the screen on every page when the line is lost", async () => {
    const wide: string[] = [];
    for (const path of ["/dashboard", "/sensors", "/irrigation", "/sensors/cot"]) {
      await page.goto(stage.stack.url + path);
      // Not each page shows a value at each moment: irrigation has none while no water runs.
      await page.locator("[data-testid=page][data-live=true]").waitFor();
      await page.context().setOffline(true);
      await page.locator("[data-testid=page][data-live=false]").waitFor();
      wide.push(...(await widerThanScreen(page, NARROW.width)).map((fault) => `${path}: ${fault}`));
      await page.context().setOffline(false);
    }
    expect(wide).toEqual([]);
  });

  it.each([
    ["late", 40 * MINUTE],
    ["offline", 180 * MINUTE],
  ])("[UI-1] stays as wide as the screen on every page when all devices are %s", async (quality, ms) => {
    await letPass(ms);
    await page.goto(`${stage.stack.url}/sensors`);
    await page.locator(`main [data-quality=${quality}]`).first().waitFor();
    expect(await widePages()).toEqual([]);
  });
});
