import { readFile } from "node:fs/promises";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { Visitor } from "@mulkko/testing/stack/visitor";
import type { Locator, Page } from "playwright-core";
import type { Say } from "./words.ts";

/** A request for history by the page that was answered successfully. */
export interface AskedHistory {
  /** ms UTC */
  readonly from: number;
  readonly to: number;
  readonly ids: readonly string[];
}

/** A file that the page passed to the browser. */
export interface SavedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The charts of a page, as a user works with them. */
export interface LogBoard {
  open(url: string, query: string): Promise<void>;
  /** Return the page's requests while `act` runs. */
  asks(act: () => Promise<void>): Promise<AskedHistory>;
  choosePreset(word: string): Promise<void>;
  /** Open the calendar. */
  openCalendar(): Promise<Locator>;
  /** Press two days of the calendar, `YYYY-MM-DD`. */
  pickDays(first: string, second: string): Promise<void>;
  card(title: string): Locator;
  saves(act: () => Promise<void>): Promise<SavedFile>;
}

const readAsked = (address: string): AskedHistory => {
  const query = new URL(address).searchParams;
  const [from, to] = [Date.parse(query.get("from") ?? ""), Date.parse(query.get("to") ?? "")];
  return { from, to, ids: (query.get("ids") ?? "").split(",") };
};

export function createLogBoard(page: Page, { viewport }: Visitor, say: Say): LogBoard {
  const picker = page.getByRole("toolbar", { name: say("log:range.label") });
  const openPanel = async (): Promise<Locator> => {
    await picker.locator("button[aria-haspopup=dialog]").click();
    const panel = page.getByRole("dialog");
    await panel.waitFor();
    return panel;
  };
  return {
    async open(url, query) {
      await page.goto(`${url}/sensors/type?${query}`);
      await page.locator("canvas").first().waitFor();
    },
    async asks(act) {
      const answered = page.waitForResponse((response) => response.url().includes(relayPath.history));
      await act();
      const response = await answered;
      if (!response.ok()) throw new Error(`${response.status()} ${response.url()}`);
      return readAsked(response.url());
    },
    async choosePreset(word) {
      const place = viewport === "phone" ? await openPanel() : picker;
      await place.getByRole("button", { name: word, exact: true }).click();
    },
    openCalendar: openPanel,
    async pickDays(first, second) {
      const panel = await openPanel();
      const before = panel.getByRole("button", { name: say("log:calendar.before") });
      // The calendar loads when it opens for the first time.
      await before.waitFor();
      for (const day of [first, second]) {
        const button = panel.locator(`[data-value="${day}"]:not([data-outside-range]):is([role=button])`);
        // The calendar opens on the month of the shown range; its first button leads to earlier ones.
        while ((await button.count()) === 0) {
          await before.click();
        }
        await button.click();
      }
    },
    card: (title) =>
      page.getByTestId("card").filter({ has: page.getByRole("heading", { name: title, exact: true }) }),
    async saves(act) {
      const saved = page.waitForEvent("download");
      await act();
      const download = await saved;
      return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
    },
  };
}
