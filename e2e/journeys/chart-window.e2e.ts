import { History } from "@mulkko/shared/rest/history";
import { relayPath } from "@mulkko/shared/rest/routes";
import { parse } from "@mulkko/shared/schema/parse";
import { signIn } from "@mulkko/testing/stack/account";
import { openStage } from "@mulkko/testing/stack/stage";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLogBoard, type LogBoard } from "../pages/log-board.ts";
import { signInOnPage } from "../pages/login.ts";
import { wordsOf } from "../pages/words.ts";

const SOIL = 24_110_101;
const VISITOR = { viewport: "desktop", locale: "en-US", colorScheme: "light" } as const;
const say = wordsOf(VISITOR.locale);

describe("a zoomed chart", () => {
  const stage = openStage();
  let page: Page;
  let board: LogBoard;
  /** Left edge, width and a height in the middle of the first chart's plot. */
  let plot: { x: number; width: number; y: number };
  const placeOf = (share: number) => plot.x + plot.width * share;
  /** Number of pictures after which the library and its listeners have followed. */
  const settle = () =>
    page.evaluate(async () => {
      for (let picture = 0; picture < 6; picture += 1) await new Promise(requestAnimationFrame);
    });
  const card = () => board.card(say("common:field.moisture"));
  /** A chart whose crosshair follows the first one's, as it looks. */
  const follower = async () =>
    (await board.card(say("common:field.soilTemperature")).getByRole("figure").screenshot()).toString(
      "base64",
    );
  const timeUnder = () => card().getByTestId("time-under").innerText();
  const statistics = () => card().getByTestId("statistics").locator("dd").allInnerTexts();
  beforeAll(async () => {
    const account = await signIn(stage.stack.url, "farmer");
    const soil = (await account.sensors()).find(({ serial }) => Number(serial) === SOIL);
    page = await stage.visit(VISITOR);
    board = createLogBoard(page, VISITOR, say);
    await signInOnPage(page, stage.stack.url, "farmer");
    await board.open(stage.stack.url, `id=${soil?.id}`);
    await board.asks(() => board.choosePreset(say("log:range.weeks")));
    const figure = card().getByRole("figure");
    await figure.scrollIntoViewIfNeeded();
    const box = await figure.boundingBox();
    if (!box) throw new Error("the chart has no place");
    plot = { x: box.x, width: box.width, y: box.y + box.height / 3 };
  });
  afterAll(() => page?.context().close());

  it("[WIN-1] has the statistics of its window, from the relay", async () => {
    const whole = await statistics();
    const answered = page.waitForResponse((response) => response.url().includes(relayPath.history));
    await page.mouse.move(placeOf(0.3), plot.y);
    await page.mouse.down();
    await page.mouse.move(placeOf(0.42), plot.y, { steps: 5 });
    await page.mouse.up();
    await page.mouse.move(5, 5);
    const answer = parse(History, await (await answered).json());
    if (!answer.ok) throw new Error(`${answer.path} of the answer does not fit`);
    const { from, to, series } = answer.value;
    const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
    expect(days).toBeGreaterThan(0.4);
    expect(days).toBeLessThan(1.5);
    const counted = series[0]?.fields.moisture?.statistics;
    const expected = [counted?.max?.toFixed(1), counted?.min?.toFixed(1)];
    await expect.poll(async () => (await statistics()).slice(0, 2)).toEqual(expected);
    expect(await statistics()).not.toEqual(whole);
  });

  it("[WIN-1] shows no live value at its head while the newest values are out of view", async () => {
    await expect.poll(() => card().getByTestId("value-now").innerText()).toBe("");
  });

  it("[WIN-1] reads under a resting pointer what is there now, after each move of the scale", async () => {
    await page.mouse.move(placeOf(0.5), plot.y);
    await settle();
    const read = [await timeUnder()];
    for (const [key, notch] of [
      ["Shift", 120],
      ["Shift", -240],
      ["Control", 120],
    ] as const) {
      await page.keyboard.down(key);
      await page.mouse.wheel(0, notch);
      await page.keyboard.up(key);
      await settle();
      const resting = await timeUnder();
      const followed = await follower();
      // A pointer that is moved and moved back reads the same place afresh.
      await page.mouse.move(placeOf(0.5) + 40, plot.y);
      await settle();
      await page.mouse.move(placeOf(0.5), plot.y);
      await settle();
      expect(await timeUnder()).toBe(resting);
      expect(await follower()).toBe(followed);
      read.push(resting);
    }
    expect(read[1]).not.toBe(read[0]);
    expect(read[2]).not.toBe(read[1]);
  });

  it("[WIN-1] has the whole range's statistics and the live value again on the whole range", async () => {
    await page
      .getByRole("button", { name: say("log:wholeRange") })
      .first()
      .click();
    await page.mouse.move(5, 5);
    await expect.poll(() => card().getByTestId("value-now").innerText()).not.toBe("");
    await expect.poll(async () => (await statistics())[0]).not.toBe("--");
  });
});
