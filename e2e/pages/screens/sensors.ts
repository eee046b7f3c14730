import { at, type Screen } from "./screen.ts";

/** The sensors, as a list, as cards and as a table. */
export const sensorsScreens: readonly Screen[] = [
  at("sensors", "/sensors", false),
  at("sensors-by-farm", "/sensors?by=farm", false),
  {
    name: "sensors-chosen",
    fullPage: false,
    async go({ page, stack, visitor }) {
      await page.goto(`${stack.url}/sensors/type?deviceType=SMS`);
      if (visitor.viewport === "phone")
        await page.locator(".sensors__tools button[aria-pressed]").last().click();
      const boxes = page.locator(".sensor-row__box input");
      await boxes.nth(0).check();
      await boxes.nth(1).check();
      await page.locator(".selection-bar").waitFor();
    },
  },
  {
    name: "sensors-cards",
    fullPage: false,
    async go({ page, stack }) {
      await page.goto(`${stack.url}/sensors`);
      await page.evaluate(() => localStorage.setItem("mulkko.sensors.layout", "cards"));
      await page.reload();
      await page.locator(".sensors__section").first().waitFor();
      await page.evaluate(() => localStorage.removeItem("mulkko.sensors.layout"));
    },
  },
  at("sensor-table", "/sensors/datalist?deviceType=SMS"),
  at("sensor-table-weather", "/sensors/datalist?deviceType=ATS02"),
];
