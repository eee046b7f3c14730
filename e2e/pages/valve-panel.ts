import type { Locator, Page } from "playwright-core";
import { type Say, wordsOf } from "./words.ts";

/** The valve panel of one channel. */
export interface ValvePanel {
  /** The valve's state as text: 닫힘, 여는 중, 열림, 닫는 중, 상태 모름. */
  readonly words: Locator;
  /** The state of the command. */
  readonly news: Locator;
  /** Open by the dialog, with the keyboard alone. */
  openFor(minutes: number): Promise<void>;
  /** Select the time of the slide. */
  choose(minutes: number): Promise<void>;
  /** Open by the slide of a phone. */
  slideFor(minutes: number): Promise<void>;
  /** Open by the slide for the selected time, in any language. */
  slideAlong(): Promise<void>;
  /**
   * Begin the slide for the selected time. @returns its end: a line that turns bad between them is noticed too late
   * to refuse the slide
   */
  grip(): Promise<() => Promise<void>>;
  closeNow(): Promise<void>;
}

/** A place is stable when it has not moved for this long, ms. */
const STILL_MS = 500;

/** Return the place of an element once it is stable: a new alarm pushes the page down. */
async function stillBox(place: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  for (let before = await place.boundingBox(); ; ) {
    await place.page().waitForTimeout(STILL_MS);
    const now = await place.boundingBox();
    if (!now) throw new Error("the slide is not on the screen");
    if (before && now.x === before.x && now.y === before.y) return now;
    before = now;
  }
}

/** Go to a channel's panel, in Korean or with the given texts. */
export async function openPanel(
  page: Page,
  url: string,
  controllerId: string,
  number: number,
  say: Say = wordsOf("ko-KR"),
): Promise<ValvePanel> {
  await page.goto(`${url}/sensors/cot/detail?cotId=${controllerId}&ch=${number}`);
  const words = page.getByTestId("valve-state");
  await words.waitFor();
  const grip = async (): Promise<() => Promise<void>> => {
    const track = page.getByTestId("confirm-slide");
    // At the bottom of the window the navigation would cover it.
    await track.evaluate((element) => element.scrollIntoView({ block: "center" }));
    // It cannot be slid before the page is live, and says so.
    await track.and(page.locator('[aria-disabled="false"]')).waitFor({ timeout: 60_000 });
    const box = await stillBox(track);
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + 28, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, y, { steps: 5 });
    return async () => {
      await page.mouse.move(box.x + box.width - 4, y, { steps: 5 });
      await page.mouse.up();
    };
  };
  const slideAlong = async (): Promise<void> => {
    const end = await grip();
    await end();
  };
  const choose = (minutes: number) =>
    page
      .getByRole("radio", { name: say("common:duration.minutes", { count: minutes }), exact: true })
      .check();
  return {
    words,
    choose,
    news: page.getByTestId("command-news"),
    async openFor(minutes) {
      await page.getByRole("button", { name: say("controller:on"), exact: true }).focus();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox", { name: say("common:runTime.minutes") }).fill(String(minutes));
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "hidden" });
    },
    async slideFor(minutes) {
      await choose(minutes);
      await slideAlong();
    },
    slideAlong,
    grip,
    closeNow: () => page.getByRole("button", { name: say("controller:off"), exact: true }).click(),
  };
}
