import type { Page } from "playwright-core";
import { DEMO_PASSWORD, signIn } from "../src/stack/account.ts";
import { publishAsDevice } from "../src/stack/publish-as-device.ts";
import type { Stack } from "../src/stack/start-stack.ts";
import type { Visitor } from "../src/stack/visitor.ts";
import { openPanel } from "./valve-panel.ts";

/** What a screen needs to be brought before the camera. */
export interface Scene {
  readonly page: Page;
  readonly stack: Stack;
  readonly visitor: Visitor;
}

/** One picture: its name, and how to get there. Screens are taken in this order, signed in after the login. */
export interface Screen {
  readonly name: string;
  readonly fullPage: boolean;
  go(scene: Scene): Promise<void>;
}

const SOIL_SERIAL = 24_110_101;
const AIR_SERIAL = 24_110_109;

const sensorId = async (stack: Stack, serial: number): Promise<string> => {
  const account = await signIn(stack.url, "farmer");
  const sensor = (await account.sensors()).find((each) => Number(each.serial) === serial);
  if (!sensor) throw new Error(`the farmer has no sensor ${serial}`);
  return String(sensor.id);
};

const controllerId = async (stack: Stack, type: string): Promise<string> => {
  const account = await signIn(stack.url, "farmer");
  const controller = (await account.controllers()).find((each) => each.type === type);
  if (!controller) throw new Error(`the farmer has no ${type}`);
  return String(controller.id);
};

const at = (name: string, path: string, fullPage = true): Screen => ({
  name,
  fullPage,
  async go({ page, stack }) {
    await page.goto(stack.url + path);
  },
});

const log = (name: string, serial: number, range: string): Screen => ({
  name,
  fullPage: true,
  async go({ page, stack }) {
    await page.goto(`${stack.url}/sensors/type?id=${await sensorId(stack, serial)}&range=${range}`);
  },
});

const panel = (name: string, type: string, channel: number): Screen => ({
  name,
  fullPage: true,
  async go({ page, stack }) {
    await openPanel(page, stack.url, await controllerId(stack, type), channel);
  },
});

/** All screens that stand. */
export const SCREENS: readonly Screen[] = [
  at("login", "/login", false),
  {
    name: "login-refused",
    fullPage: false,
    async go({ page }) {
      await page.locator("input[name=username]").fill("farmer");
      await page.locator("input[name=password]").fill("not-the-password");
      await page.locator("button[type=submit]").click();
      await page.getByRole("alert").first().waitFor();
    },
  },
  {
    name: "dashboard",
    fullPage: true,
    async go({ page }) {
      await page.locator("input[name=password]").fill(DEMO_PASSWORD);
      await page.locator("button[type=submit]").click();
      await page.waitForURL("**/dashboard");
    },
  },
  at("sensors", "/sensors", false),
  at("sensors-by-farm", "/sensors?by=farm", false),
  log("log-soil", SOIL_SERIAL, "weeks"),
  log("log-air", AIR_SERIAL, "day"),
  {
    name: "log-live",
    fullPage: true,
    async go({ page, stack }) {
      await page.goto(`${stack.url}/sensors/type?id=${await sensorId(stack, SOIL_SERIAL)}&range=onehour`);
      await page.locator("canvas").first().waitFor();
      const at = new Date().toISOString();
      await publishAsDevice(
        stack,
        SOIL_SERIAL,
        JSON.stringify({ moisture: 28.4, soilTemperature: 19.6, at }),
      );
    },
  },
  at("irrigation", "/irrigation"),
  panel("panel-closed", "CON04V", 2),
  {
    name: "panel-open",
    fullPage: false,
    async go({ page, stack, visitor }) {
      const shown = await openPanel(page, stack.url, await controllerId(stack, "CON04V"), 1);
      if ((await page.locator(".panel__left").count()) > 0) return;
      if (visitor.viewport === "phone") await shown.slideAlong();
      else {
        await page.locator(".panel__buttons button").nth(1).click();
        await page.getByRole("dialog").locator("button[type=submit]").click();
      }
      await page.locator(".panel__left").waitFor();
    },
  },
  {
    name: "bell",
    fullPage: false,
    async go({ page }) {
      await page.locator("header button.icon-button").click();
      await page.locator(".bell__list").waitFor();
    },
  },
  at("dashboard-watering", "/dashboard"),
  panel("panel-water-level", "CON01W", 1),
  at("account", "/account"),
  at("not-found", "/nothing-here", false),
];
