import type { Locator, Page } from "playwright-core";

/** The valve panel of one channel, in Korean. */
export interface ValvePanel {
  /** The valve's state in words: 닫힘, 여는 중, 열림, 닫는 중, 상태 모름. */
  readonly words: Locator;
  /** How far the command has come. */
  readonly news: Locator;
  /** Opens by the dialog, with the keyboard alone. */
  openFor(minutes: number): Promise<void>;
  /** Opens by the slide of a phone. */
  slideFor(minutes: number): Promise<void>;
  /** Opens by the slide for the time that is chosen already, in any language. */
  slideAlong(): Promise<void>;
  closeNow(): Promise<void>;
}

/** A place is still when it has not moved for so long, ms. */
const STILL_MS = 500;

/** Where something is once it stays there: an alarm that has just come pushes the page down. */
async function stillBox(place: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  for (let before = await place.boundingBox(); ; ) {
    await place.page().waitForTimeout(STILL_MS);
    const now = await place.boundingBox();
    if (!now) throw new Error("the slide is not on the screen");
    if (before && now.x === before.x && now.y === before.y) return now;
    before = now;
  }
}

/** Goes to a channel's panel. */
export async function openPanel(
  page: Page,
  url: string,
  controllerId: string,
  number: number,
): Promise<ValvePanel> {
  await page.goto(`${url}/sensors/cot/detail?cotId=${controllerId}&ch=${number}`);
  const words = page.locator(".panel__words");
  await words.waitFor();
  const slideAlong = async (): Promise<void> => {
    const track = page.locator(".confirm-slide");
    // At the foot of the window the navigation would lie over it.
    await track.evaluate((element) => element.scrollIntoView({ block: "center" }));
    const box = await stillBox(track);
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + 28, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, y, { steps: 5 });
    await page.mouse.move(box.x + box.width - 4, y, { steps: 5 });
    await page.mouse.up();
  };
  return {
    words,
    news: page.locator(".panel__news"),
    async openFor(minutes) {
      await page.getByRole("button", { name: "물 주기" }).focus();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox", { name: "관수 시간" }).fill(String(minutes));
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "hidden" });
    },
    async slideFor(minutes) {
      await page.getByRole("radio", { name: `${minutes}분`, exact: true }).check();
      await slideAlong();
    },
    slideAlong,
    closeNow: () => page.getByRole("button", { name: "지금 닫기" }).click(),
  };
}
