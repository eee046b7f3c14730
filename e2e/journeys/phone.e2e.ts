import { controllerCommand } from "@mulkko/shared/rest/operations/controllers";
import { signIn } from "@mulkko/testing/stack/account";
import { publishAsDevice } from "@mulkko/testing/stack/publish-as-device";
import { openStage } from "@mulkko/testing/stack/stage";
import { VIEWPORTS } from "@mulkko/testing/stack/visitor";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signInOnPage } from "../pages/login.ts";
import { openPanel } from "../pages/valve-panel.ts";
import { wordsOf } from "../pages/words.ts";

const VISITOR = { viewport: "phone", locale: "ko-KR", colorScheme: "light" } as const;
const SOIL_SERIAL = 24_110_101;
const say = wordsOf(VISITOR.locale);

describe("a phone in the field", () => {
  const stage = openStage();
  let page: Page;
  let controllerId: string;
  let soilId: string;
  beforeAll(async () => {
    const account = await signIn(stage.stack.url, "farmer");
    controllerId = `${(await account.controllers()).find(({ type }) => type === "CON04V")?.id}`;
    soilId = `${(await account.sensors()).find(({ serial }) => Number(serial) === SOIL_SERIAL)?.id}`;
    page = await stage.visit(VISITOR);
    await signInOnPage(page, stage.stack.url, "farmer");
  });
  afterAll(() => page?.context().close());

  /** Return the distance of a control's end from the navigation below it, px; null if it is off the screen. */
  const aboveNav = async (control: Locator): Promise<number | null> => {
    const [box, nav] = await Promise.all([
      control.boundingBox(),
      page.getByTestId("bottom-nav").boundingBox(),
    ]);
    if (!box || !nav) return null;
    const distance = Math.round(nav.y - (box.y + box.height));
    return box.y > 0 && distance >= 0 && distance < 120 ? distance : null;
  };
  const toTheEnd = () => page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const toTheTop = () => page.evaluate(() => scrollTo(0, 0));

  it("[UI-2] has what can be done now above the menu, while a command goes its way and the page scrolls", async () => {
    const panel = await openPanel(page, stage.stack.url, controllerId, 2);
    const close = page.getByRole("button", { name: say("controller:off"), exact: true });
    const slide = page.getByTestId("confirm-slide");
    for (const move of [toTheEnd, toTheTop]) {
      await move();
      expect(await aboveNav(slide)).toBe(8);
    }
    await panel.slideFor(1);
    const isOpen = () => panel.words.innerText().then((words) => words === say("common:valve.open"));
    const seen: unknown[] = [];
    await expect
      .poll(async () => {
        const bar = await page.getByTestId("valve-controls").getAttribute("data-bar");
        if (bar !== "open") seen.push(await aboveNav(close));
        return isOpen();
      })
      .toBe(true);
    expect(new Set(seen)).toEqual(new Set([8]));
    for (const move of [toTheEnd, toTheTop]) {
      await move();
      expect(await aboveNav(close)).toBe(8);
    }
    await close.click();
    await expect.poll(() => panel.words.innerText()).toBe(say("common:valve.closed"));
    await expect.poll(() => aboveNav(slide)).toBe(8);
  });

  it.each([
    ["360 px wide", { width: 360, height: 740 }],
    ["on its side", { width: 740, height: 360 }],
    ["large and on its side", { width: 844, height: 390 }],
  ])("[UI-2] shows a valve's state and its control at once on a phone that is %s", async (_, size) => {
    await page.setViewportSize(size);
    await openPanel(page, stage.stack.url, controllerId, 2);
    await page.evaluate(() => scrollTo(0, 0));
    const state = await page.getByTestId("valve-state").boundingBox();
    const control = await page
      .getByTestId("valve-controls")
      .getByRole("button", { name: size.width < 768 ? /2CH/ : say("controller:on") })
      .boundingBox();
    const end = (box: typeof state) => (box ? box.y + box.height : Number.POSITIVE_INFINITY);
    expect(end(state)).toBeLessThanOrEqual(control?.y ?? 0);
    expect(end(control)).toBeLessThanOrEqual(size.height);
    await page.setViewportSize(VIEWPORTS.phone);
  });

  it("[dashboard] says what runs, what comes next, what is dry and what is wrong in the first 700 px", async () => {
    const panel = await openPanel(page, stage.stack.url, controllerId, 2);
    // The page is left while the command is on its way: it is carried out all the same.
    const sent = page.waitForRequest((request) => request.url().endsWith(controllerCommand.path));
    await panel.slideFor(1);
    await sent;
    const reading = { moisture: 9, battery: 12, rssi: -70, at: new Date().toISOString() };
    await publishAsDevice(stage.stack, SOIL_SERIAL, JSON.stringify(reading));
    await page.goto(`${stage.stack.url}/dashboard`);
    const main = page.getByRole("main");
    const parts = {
      // The demo's automatic valve may run too.
      runs: main.getByText(say("common:water.running", { count: 1 }).slice(1)),
      next: main.getByRole("link", { name: say("dashboard:tile.irrigation") }).getByText("06:00"),
      dry: main.getByTestId("valve-line").filter({ hasText: "%" }).first(),
      wrong: page.getByRole("region", { name: say("common:alarm.title"), exact: true }),
    };
    for (const [part, locator] of Object.entries(parts)) {
      await locator.first().waitFor();
      const box = await locator.first().boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0), part).toBeLessThanOrEqual(700);
    }
    await openPanel(page, stage.stack.url, controllerId, 2);
    await page.getByRole("button", { name: say("controller:off"), exact: true }).click();
    await expect.poll(() => panel.words.innerText()).toBe(say("common:valve.closed"));
  });

  it("[back] leads from a panel to the farm that it was opened from", async () => {
    await page.goto(`${stage.stack.url}/irrigation`);
    await page.locator("main").getByRole("link").filter({ hasText: "딸기농원" }).first().click();
    await page.waitForURL("**/irrigation/farm?*");
    const farm = page.url();
    await page.getByTestId("channel-cell").first().click();
    await page.waitForURL("**/sensors/cot/detail?*");
    await page.getByRole("link", { name: say("common:action.back"), exact: true }).click();
    await expect.poll(() => page.url()).toBe(farm);
  });

  it("[chart] shows a whole chart while the phone is on its side", async () => {
    await page.setViewportSize({ width: VIEWPORTS.phone.height, height: VIEWPORTS.phone.width });
    await page.goto(`${stage.stack.url}/sensors/type?id=${encodeURIComponent(soilId)}`);
    const chart = page.getByRole("figure").first();
    await chart.waitFor();
    await chart.evaluate((element) => element.scrollIntoView({ block: "start" }));
    const box = await chart.boundingBox();
    expect(box?.height).toBeLessThan(VIEWPORTS.phone.width);
    await page.setViewportSize(VIEWPORTS.phone);
  });

  it("[contrast] marks the chosen channel and page in the system's colours of high contrast", async () => {
    await page.emulateMedia({ forcedColors: "active" });
    await openPanel(page, stage.stack.url, controllerId, 2);
    const grounds = await page.evaluate(() => {
      const probe = document.createElement("span");
      probe.style.cssText = "forced-color-adjust:none;background:Highlight";
      document.body.append(probe);
      const wanted = getComputedStyle(probe).backgroundColor;
      probe.remove();
      const of = (element: Element | null | undefined) =>
        element && getComputedStyle(element).backgroundColor;
      return {
        wanted,
        chip: of(document.querySelector('[aria-pressed="true"]')),
        page: of(
          document.querySelector('[data-testid="bottom-nav"] [aria-current="page"]')?.firstElementChild,
        ),
      };
    });
    expect(grounds).toEqual({ wanted: grounds.wanted, chip: grounds.wanted, page: grounds.wanted });
    await page.emulateMedia({ forcedColors: "none" });
  });
});
