import { wordsOf } from "../words.ts";
import { at, type Screen } from "./screen.ts";

/** The sensors, as a list, as cards and as a table. */
export const sensorsScreens: readonly Screen[] = [
  at("sensors", "/sensors", false),
  at("sensors-by-farm", "/sensors?by=farm", false),
  {
    name: "sensors-chosen",
    fullPage: false,
    async go({ page, stack, visitor }) {
      const say = wordsOf(visitor.locale);
      await page.goto(`${stack.url}/sensors/type?deviceType=SMS`);
      if (visitor.viewport === "phone")
        await page.getByRole("button", { name: say("sensors:select.start") }).click();
      const boxes = page.getByTestId("sensor-row").getByRole("checkbox");
      await boxes.nth(0).check();
      await boxes.nth(1).check();
      await page.getByRole("region", { name: say("sensors:select.label") }).waitFor();
    },
  },
  {
    name: "sensors-cards",
    fullPage: false,
    async go({ page, stack }) {
      await page.goto(`${stack.url}/sensors`);
      await page.evaluate(() => localStorage.setItem("mulkko.sensors.layout", "cards"));
      await page.reload();
      await page.getByTestId("sensor-section").first().waitFor();
      await page.evaluate(() => localStorage.removeItem("mulkko.sensors.layout"));
    },
  },
  at("sensor-table", "/sensors/datalist?deviceType=SMS"),
  at("sensor-table-weather", "/sensors/datalist?deviceType=ATS02"),
];
