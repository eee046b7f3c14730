import type { Locator, Page } from "playwright-core";
import type { Say } from "./words.ts";

/** The fleet board of an administrator, by its visible elements. */
export interface FleetBoard {
  /** The line or cell of a device by its name. */
  device(name: string): Locator;
  /** The chip of a quality, with its number. */
  chip(label: string): Locator;
  search(text: string): Promise<void>;
  /** Names of the devices in the page, in their order. */
  names(): Promise<string[]>;
}

export function fleetBoard(page: Page, say: Say): FleetBoard {
  return {
    device: (name) => page.locator("[data-device]", { hasText: name }).first(),
    chip: (label) => page.getByTestId("filter-bar").getByRole("button", { name: label }),
    search: (text) => page.getByRole("searchbox", { name: say("fleet:search") }).fill(text),
    names: () => page.locator("[data-device]").getByTestId("device-name").allInnerTexts(),
  };
}
