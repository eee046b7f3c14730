import type { Locator, Page } from "playwright-core";
import type { Say } from "./words.ts";

/** The sensors' list, as a user works with it. */
export interface SensorList {
  /** A sensor's row by its name. */
  row(name: string): Locator;
  /** Distance of a sensor's row from the top of the page's content, CSS px: an alarm's strip above moves both. */
  placeOf(name: string): Promise<number>;
  /** Check a sensor's box. */
  choose(name: string): Promise<void>;
  /** The bar over the selected ones. */
  readonly bar: Locator;
}

export function sensorList(page: Page, say: Say): SensorList {
  const row = (name: string) => page.getByTestId("sensor-row").filter({ hasText: name });
  return {
    row,
    placeOf: (name) =>
      row(name).evaluate((element) => {
        const main = element.closest("main");
        if (!main) throw new Error("the row is outside the page's content");
        return element.getBoundingClientRect().top - main.getBoundingClientRect().top;
      }),
    bar: page.getByRole("region", { name: say("sensors:select.label") }),
    choose: (name) => row(name).getByRole("checkbox").check(),
  };
}

/** The table of one type. */
export interface SensorTable {
  head(name: string): Locator;
  /** Names of the rows on this page, from the top. */
  names(): Promise<string[]>;
  /** A row by its name. */
  row(name: string): Locator;
}

export function sensorTable(page: Page): SensorTable {
  return {
    head: (name) => page.getByRole("columnheader", { name }),
    names: () => page.getByRole("rowheader").allInnerTexts(),
    row: (name) => page.getByRole("row").filter({ has: page.getByRole("rowheader", { name, exact: true }) }),
  };
}
