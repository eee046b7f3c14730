import { publishAsDevice } from "@mulkko/testing/stack/publish-as-device";
import { wordsOf } from "../words.ts";
import { type Screen, sensorId } from "./screen.ts";

const SOIL_SERIAL = 24_110_101;
const AIR_SERIAL = 24_110_109;

const OTHER_SOIL_SERIAL = 24_110_102;
const CONTROLLER_SERIAL = 24_110_118;

const log = (name: string, serial: number, range: string): Screen => ({
  name,
  fullPage: true,
  async go({ page, stack }) {
    await page.goto(`${stack.url}/sensors/type?id=${await sensorId(stack, serial)}&range=${range}`);
  },
});

/** Measurements of sensors. */
export const logScreens: readonly Screen[] = [
  log("log-soil", SOIL_SERIAL, "weeks"),
  log("log-air", AIR_SERIAL, "day"),
  log("log-valves", CONTROLLER_SERIAL, "day"),
  {
    name: "log-compared",
    fullPage: true,
    async go({ page, stack }) {
      const ids = await Promise.all([SOIL_SERIAL, OTHER_SOIL_SERIAL].map((each) => sensorId(stack, each)));
      await page.goto(`${stack.url}/sensors/type?ids=${ids.join()}&range=weeks`);
    },
  },
  {
    name: "log-calendar",
    fullPage: false,
    async go({ page, visitor }) {
      await page.locator("canvas").first().waitFor();
      await page
        .getByRole("toolbar", { name: wordsOf(visitor.locale)("log:range.label") })
        .locator("button[aria-haspopup=dialog]")
        .click();
      await page.getByRole("dialog").locator("[data-selectable]").first().click();
    },
  },
  {
    name: "log-y-range",
    fullPage: false,
    async go({ page, stack }) {
      await page.goto(`${stack.url}/sensors/type?id=${await sensorId(stack, AIR_SERIAL)}&range=day`);
      await page.getByTestId("series-icon").last().click();
    },
  },
  {
    name: "log-live",
    fullPage: true,
    async go({ page, stack }) {
      await page.goto(`${stack.url}/sensors/type?id=${await sensorId(stack, SOIL_SERIAL)}&range=onehour`);
      await page.locator("canvas").first().waitFor();
      const now = new Date().toISOString();
      await publishAsDevice(
        stack,
        SOIL_SERIAL,
        JSON.stringify({ moisture: 28.4, soilTemperature: 19.6, at: now }),
      );
    },
  },
];
