import { describe, expect, it } from "vitest";
import { createLogBoard } from "../pages/log-board.ts";
import { signInOnPage } from "../pages/login.ts";
import { wordsOf } from "../pages/words.ts";
import { signIn } from "../src/stack/account.ts";
import { openStage } from "../src/stack/stage.ts";
import type { Visitor } from "../src/stack/visitor.ts";

const SOIL = 24_110_101;
const VISITOR: Visitor = { viewport: "desktop", locale: "ko-KR", colorScheme: "light" };
const say = wordsOf(VISITOR.locale);

describe("strokes of a chart", () => {
  const stage = openStage();

  it("[chart] draws no stroke backwards after a zoom and a pan, up to both edges", async () => {
    const page = await stage.visit(VISITOR);
    // A line of a reading is one path to the right; bands are filled, and grids move between their lines.
    await page.addInitScript(() => {
      const strokes = { all: 0, backwards: 0 };
      Object.assign(window, { strokes });
      const { beginPath, moveTo, lineTo, stroke } = CanvasRenderingContext2D.prototype;
      let places: number[] = [];
      let moved = false;
      Object.assign(CanvasRenderingContext2D.prototype, {
        beginPath(this: CanvasRenderingContext2D) {
          places = [];
          moved = false;
          beginPath.call(this);
        },
        moveTo(this: CanvasRenderingContext2D, x: number, y: number) {
          moved = true;
          moveTo.call(this, x, y);
        },
        lineTo(this: CanvasRenderingContext2D, x: number, y: number) {
          places.push(x);
          lineTo.call(this, x, y);
        },
        stroke(this: CanvasRenderingContext2D) {
          Reflect.apply(stroke, this, []);
          if (moved || places.length < 3) return;
          strokes.all += 1;
          if (places.some((x, index) => !(x >= (places[index - 1] ?? x)))) strokes.backwards += 1;
        },
      });
    });
    const strokes = () => page.evaluate(() => ({ ...Reflect.get(window, "strokes") }));
    await signInOnPage(page, stage.stack.url, "farmer");
    const sensors = await (await signIn(stage.stack.url, "farmer")).sensors();
    const soil = sensors.find(({ serial }) => Number(serial) === SOIL);
    if (!soil) throw new Error(`the farmer has no sensor ${SOIL}`);
    const zoomed = createLogBoard(page, VISITOR, say);
    await zoomed.open(stage.stack.url, `id=${soil.id}`);
    await zoomed.asks(() => zoomed.choosePreset(say("log:range.weeks")));
    const box = await page.locator("main .tv-lightweight-charts").first().boundingBox();
    if (box === null) throw new Error("there is no chart");
    const [middle, axis] = [box.y + box.height / 2, box.y + box.height - 8];
    const drag = async (y: number, from: number, to: number) => {
      await page.mouse.move(box.x + box.width * from, y);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * to, y, { steps: 12 });
      await page.mouse.up();
    };
    await drag(axis, 0.3, 0.7);
    await drag(middle, 0.3, 0.7);
    await drag(axis, 0.7, 0.35);
    await drag(middle, 0.6, 0.3);
    await expect.poll(async () => (await strokes()).all).toBeGreaterThan(10);
    expect(await strokes()).toMatchObject({ backwards: 0 });
    await page.context().close();
  });
});
