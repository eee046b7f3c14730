import { refreshTokenOf, TokenPair } from "@mulkko/shared/rest/account";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { sensorAdd, sensorUpdate } from "@mulkko/shared/rest/operations/sensors";
import { DEMO_PASSWORD, login, read, type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { publishAsDevice } from "@mulkko/testing/stack/publish-as-device";
import { openStage } from "@mulkko/testing/stack/stage";
import type { Stack } from "@mulkko/testing/stack/start-stack";
import { newVisitor, VIEWPORTS, type Visitor, visitors } from "@mulkko/testing/stack/visitor";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openMap } from "../pages/farm-map.ts";
import { wordsOf } from "../pages/words.ts";

const SOIL_SERIAL = 24_110_101;
const STRESS_SERIAL = 24_110_111;
/** The two devices of the demo's paddy: the weather station in the east, the water level in the west. */
const PADDY_SERIALS = [24_110_201, 24_110_202] as const;
/** Padding around fitted marks, and distance of two presses that do not miss one, CSS px. */
const FIT_PADDING_PX = 72;
const TAP_STEP_PX = 16;
/** Time in which the map moves by one level, and after which a press is no double one, ms. */
const ZOOMED_MS = 500;
/** Time in which the map has moved to a cluster, ms. */
const MOVED_MS = 2_000;
/** Software rendering on a busy machine is slow. */
const PATIENT = { timeout: 60_000 };

/** Send a form to the farm API through the relay. */
async function sendForm(
  stack: Stack,
  farmer: SignedIn,
  method: "POST" | "PUT",
  path: string,
  fields: Record<string, string>,
): Promise<void> {
  const answer = await fetch(stack.url + path, {
    method,
    headers: { authorization: `Bearer ${farmer.token}` },
    body: new URLSearchParams(fields),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
}

/** Open a page for a visitor who is already signed in. */
async function signedIn(browser: Browser, stack: Stack, visitor: Visitor): Promise<BrowserContext> {
  const pair = await read(await login(stack.url, "farmer", DEMO_PASSWORD), TokenPair);
  const context = await newVisitor(browser, visitor);
  const page = await context.newPage();
  await page.goto(`${stack.url}/login`);
  await page.evaluate((token) => localStorage.setItem("refreshToken", token), refreshTokenOf(pair) ?? "");
  await page.close();
  return context;
}

describe("the map", () => {
  const stage = openStage();
  let farmer: SignedIn;
  const ids = new Map<number, string>();

  beforeAll(async () => {
    farmer = await signIn(stage.stack.url, "farmer");
    for (const { id, serial } of await farmer.sensors()) ids.set(Number(serial), String(id));
  });

  describe.each(
    visitors(
      { viewport: "desktop", locale: "ko-KR", colorScheme: "light" },
      { viewport: "phone", locale: "en-US", colorScheme: "dark" },
      { viewport: "phone", locale: "zh-CN", colorScheme: "light" },
    ),
  )("on a $viewport in $locale", (visitor) => {
    const say = wordsOf(visitor.locale);
    const strangers: string[] = [];
    let context: BrowserContext;
    let page: Page;

    beforeAll(async () => {
      context = await signedIn(stage.browser, stage.stack, visitor);
      page = await context.newPage();
      page.on("request", (request) => {
        const { origin, protocol } = new URL(request.url());
        if (protocol.startsWith("http") && origin !== stage.stack.url) strangers.push(request.url());
      });
    });
    afterAll(() => context?.close());
    const row = (name: string | RegExp) => page.getByTestId("map-row").filter({ hasText: name });
    const legend = () => page.getByRole("region", { name: say("maps:legend") });

    it("[spec 2] shows a list beside the map, and sends requests only to its own server", async () => {
      await openMap(page, `${stage.stack.url}/maps`);
      // Earlier visitors may have added devices.
      expect(await page.getByTestId("map-row").count()).toBe((await farmer.sensors()).length);
      expect(await page.getByTestId("farm-map").locator("canvas").count()).toBe(2);
      expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(say("maps:title"));
      expect(strangers).toEqual([]);
    });

    it("[spec 4] shows a legend for crop stress sensors, none for other types; several types appear together", async () => {
      const type = (name: string) =>
        page.getByTestId("map-type").filter({ hasText: say(`common:deviceType.${name}`) });
      await type("LAT").click();
      await page.waitForURL(/deviceType=LAT$/);
      await legend().waitFor();
      expect(await legend().locator("li").count()).toBe(7);
      await expect.poll(() => page.getByTestId("map-row").count(), PATIENT).toBe(1);
      await type("COMPOST").click();
      await page.waitForURL(/deviceType=LAT,COMPOST$/);
      await expect.poll(() => page.getByTestId("map-row").count(), PATIENT).toBe(2);
      await type("LAT").click();
      await page.waitForURL(/deviceType=COMPOST$/);
      await legend().waitFor({ state: "detached" });
    });

    it("[maps] opens a selected device with its values, which follow its messages", async () => {
      await openMap(page, `${stage.stack.url}/maps`);
      await row(String(SOIL_SERIAL)).click();
      await page.waitForURL(new RegExp(`id=${ids.get(SOIL_SERIAL)}`));
      const brief = page.getByRole("article");
      await brief.waitFor(PATIENT);
      // Newer than the demo's own next message, which would otherwise replace it.
      const at = new Date(Date.now() + 60_000).toISOString();
      await publishAsDevice(
        stage.stack,
        SOIL_SERIAL,
        JSON.stringify({ moisture: 44.4, soilTemperature: 17, at }),
      );
      await brief.getByText("44.4").waitFor(PATIENT);
      await brief.getByRole("button", { name: say("maps:close") }).click();
      await brief.waitFor({ state: "detached" });
    });

    it("[maps] selects the device of a pressed mark", async () => {
      await openMap(page, `${stage.stack.url}/maps/type?deviceType=LAT&id=${ids.get(STRESS_SERIAL)}`);
      const brief = page.getByRole("article");
      await brief.getByRole("button", { name: say("maps:close") }).click();
      await brief.waitFor({ state: "detached" });
      expect(page.url()).not.toContain("id=");
      const room = await page.getByTestId("farm-map").boundingBox();
      if (!room) throw new Error("there is no map");
      // The address has moved the map to it: it is in the middle of the area beside the list.
      const sheet =
        visitor.viewport === "phone"
          ? await page.getByRole("region", { name: say("maps:list"), exact: true }).boundingBox()
          : null;
      const middle = (room.y + (sheet?.y ?? room.y + room.height)) / 2;
      await expect
        .poll(async () => {
          await page.mouse.click(room.x + room.width / 2, middle);
          return page.url();
        }, PATIENT)
        .toContain(`id=${ids.get(STRESS_SERIAL)}`);
    });

    if (visitor.viewport === "phone")
      it("[maps] shows every device of a pressed cluster, above the list", async () => {
        const types = (await farmer.sensors())
          .filter(({ serial }) => PADDY_SERIALS.some((paddy) => paddy === Number(serial)))
          .map(({ deviceType }) => deviceType);
        await openMap(page, `${stage.stack.url}/maps/type?deviceType=${types.join()}`);
        // An alarm's strip may move the page at any time.
        const area = async () => {
          const room = await page.getByTestId("farm-map").boundingBox();
          const sheet = await page.getByRole("region", { name: say("maps:list"), exact: true }).boundingBox();
          if (!room || !sheet) throw new Error("there is no map, or no list");
          return { left: room.x, top: room.y, bottom: sheet.y, middle: room.y + room.height / 2 };
        };
        // Far away the two are one cluster in the middle of the map.
        const out = page.getByRole("button", { name: say("maps:control.zoomOut") });
        for (let level = 0; level < 6; level += 1) {
          await out.click();
          await page.waitForTimeout(ZOOMED_MS);
        }
        const { middle, bottom } = await area();
        await page.mouse.click(VIEWPORTS.phone.width / 2, Math.min(middle, bottom - TAP_STEP_PX / 2));
        // A press would stop the movement.
        await page.waitForTimeout(MOVED_MS);
        let below = FIT_PADDING_PX;
        await expect
          .poll(
            async () => {
              const { left, top, bottom } = await area();
              below = top + below + TAP_STEP_PX < bottom ? below + TAP_STEP_PX : FIT_PADDING_PX;
              await page.mouse.click(left + FIT_PADDING_PX, top + below);
              return page.url();
            },
            { ...PATIENT, interval: ZOOMED_MS },
          )
          .toContain(`id=${ids.get(PADDY_SERIALS[1])}`);
      });

    it("[spec 2] marks a sensor without a place, which cannot be selected until it is placed", async () => {
      const serial = String(24_119_000 + Math.floor(Math.random() * 900));
      await sendForm(stage.stack, farmer, "POST", sensorAdd.path, {
        name: `Lost ${serial}`,
        serial,
        deviceType: "SMS",
      });
      await openMap(page, `${stage.stack.url}/maps`);
      const lost = row(`Lost ${serial}`);
      await lost.getByText(say("maps:noPlace")).waitFor(PATIENT);
      expect(await lost.evaluate(({ tagName }) => tagName)).toBe("DIV");
      expect(await lost.getByRole("link", { name: say("maps:setPlace") }).getAttribute("href")).toMatch(
        /^\/maps\/edit\?id=/,
      );
      const sensor = (await farmer.sensors()).find((each) => String(each.serial) === serial);
      const fields = { deviceType: "SMS", latitude: "36.2061", longitude: "127.0985" };
      await sendForm(stage.stack, farmer, "PUT", pathTo(sensorUpdate, { id: sensor?.id ?? "" }), fields);
      await lost.getByText(serial, { exact: true }).waitFor(PATIENT);
      await lost.click();
      await page.getByRole("article").getByText(`Lost ${serial}`).waitFor(PATIENT);
    });

    it("[spec 2] shows that it loads until the map is drawn", async () => {
      const slow = await context.newPage();
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await slow.route(/\/assets\/(maplibre|farm-map-view)[^/]*\.js/, async (route) => {
        await held;
        await route.continue();
      });
      await slow.goto(`${stage.stack.url}/maps`);
      await slow.getByText(say("common:map.loading")).waitFor(PATIENT);
      release();
      await slow.getByTestId("farm-map").locator("canvas").first().waitFor(PATIENT);
      await slow.getByText(say("common:map.loading")).waitFor({ state: "detached" });
      await slow.close();
    });

    it("[spec 8] shows a message in the map's place without WebGL, and the list works", async () => {
      const blind = await context.newPage();
      await blind.addInitScript(() => {
        HTMLCanvasElement.prototype.getContext = () => null;
      });
      await blind.goto(`${stage.stack.url}/maps`);
      await blind.getByText(say("common:map.failed")).waitFor(PATIENT);
      expect(await blind.getByTestId("map-row").count()).toBeGreaterThan(ids.size - 1);
      await blind.close();
    });
  });
});
