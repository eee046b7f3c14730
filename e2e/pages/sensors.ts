import type { Locator, Page } from "playwright-core";
import type { Say } from "./words.ts";

/** The sensors' list, as a user works with it. */
export interface SensorList {
  /** A sensor's row by its name. */
  row(name: string): Locator;
  /** Check a sensor's box. */
  choose(name: string): Promise<void>;
  /** The bar over the selected ones. */
  readonly bar: Locator;
}

export function sensorList(page: Page, say: Say): SensorList {
  const row = (name: string) => page.getByTestId("sensor-row").filter({ hasText: name });
  return {
    row,
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
