import type { Visitor } from "@mulkko/testing/stack/visitor";
import type { Locator, Page } from "playwright-core";
import type { Say } from "./words.ts";

/** The pages about farms and their water, in any language. */
export interface WaterPages {
  /** The farms, in the order of the page. */
  farmNames(): Promise<string[]>;
  sortBy(sort: string): Promise<void>;
  openFarm(name: string): Promise<void>;
  /** The cell of a channel: of the matrix on a desktop, of the list under its controller on a phone. */
  cell(box: string, number: number): Locator;
  /** Press close-all, and confirm its question. */
  closeAll(): Promise<void>;
  /** The result of the last close-all. */
  readonly closing: Locator;
}

export function createWaterPages(page: Page, visitor: Visitor, say: Say): WaterPages {
  const phone = visitor.viewport === "phone";
  return {
    async farmNames() {
      // The mark of an alarm is behind the name.
      const texts = await page.getByTestId("farm-name").allInnerTexts();
      return texts.map((text) => text.split("\n")[0] ?? "");
    },
    sortBy: async (sort) => {
      await page
        .getByRole("navigation", { name: say("irrigation:farms") })
        .getByRole("combobox")
        .selectOption(sort);
    },
    openFarm: (name) => page.getByTestId("farm-row").filter({ hasText: name }).click(),
    cell(box, number) {
      const channel = say("common:valve.channel", { number });
      const place = phone ? page.locator("details", { hasText: box }) : page.getByRole("row", { name: box });
      return place.getByTestId("channel-cell").filter({ hasText: channel });
    },
    async closeAll() {
      await page.getByRole("button", { name: say("irrigation:closeAll.button") }).click();
      await page.getByRole("alertdialog").getByRole("button").last().click();
    },
    closing: page.getByRole("region", { name: say("irrigation:closeAll.title") }),
  };
}
