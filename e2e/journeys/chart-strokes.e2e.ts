import { signIn } from "@mulkko/testing/stack/account";
import { openStage } from "@mulkko/testing/stack/stage";
import type { Visitor } from "@mulkko/testing/stack/visitor";
import { describe, expect, it } from "vitest";
import { createLogBoard } from "../pages/log-board.ts";
import { signInOnPage } from "../pages/login.ts";
import { wordsOf } from "../pages/words.ts";

const SOIL = 24_110_101;
/** Measures a tank: one line in a chart, without waterings and bounds behind it. */
const TANK = 24_110_112;
/** A press that moves this far is a pan, px. */
const STARTS_PX = 10;
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
    const box = await page.getByRole("figure").first().boundingBox();
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

  it("[chart] a pan over half of the window leaves one line in each column of pixels", async () => {
    const page = await stage.visit(VISITOR);
    await signInOnPage(page, stage.stack.url, "farmer");
    const sensors = await (await signIn(stage.stack.url, "farmer")).sensors();
    const tank = sensors.find(({ serial }) => Number(serial) === TANK);
    if (!tank) throw new Error(`the farmer has no sensor ${TANK}`);
    const board = createLogBoard(page, VISITOR, say);
    await board.open(stage.stack.url, `id=${tank.id}`);
    await board.asks(() => board.choosePreset(say("log:range.weeks")));
    const chart = page.getByRole("figure").first();
    const box = await chart.boundingBox();
    if (box === null) throw new Error("there is no chart");
    // Read once, in the second frame: the next reading draws the chart again and hides the fault.
    const columns = () =>
      chart.evaluate(async (root) => {
        for (const _ of [1, 2]) await new Promise((drawn) => requestAnimationFrame(drawn));
        const [pane] = [...root.querySelectorAll("canvas")].toSorted((a, b) => b.width - a.width);
        const context = pane?.getContext("2d");
        if (!pane || !context) throw new Error("the chart has no pane");
        const { data } = context.getImageData(0, 0, pane.width, pane.height);
        const found = { painted: 0, doubled: 0 };
        for (let x = 0; x < pane.width; x += 1) {
          let lines = 0;
          let background = 4;
          for (let y = 0; y < pane.height; y += 1) {
            const place = (y * pane.width + x) * 4;
            const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(place, place + 4);
            // Series are colourful, and the band between minimum and maximum is nearly transparent; the grid
            // is grey.
            const isLine = alpha > 128 && Math.max(red, green, blue) - Math.min(red, green, blue) > 24;
            if (isLine && background >= 4) lines += 1;
            background = isLine ? 0 : background + 1;
          }
          if (lines > 0) found.painted += 1;
          if (lines > 1) found.doubled += 1;
        }
        return found;
      });
    await expect.poll(async () => (await columns()).painted).toBeGreaterThan(box.width / 2);
    const [middle, axis] = [box.y + box.height / 2, box.y + box.height - 8];
    await page.mouse.move(box.x + box.width * 0.8, axis);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.3, axis, { steps: 12 });
    await page.mouse.up();
    for (const part of [0.65, -0.6, 0.5]) {
      const from = Math.round(box.x + box.width * (part > 0 ? 0.85 : 0.15));
      await page.mouse.move(from, middle);
      await page.mouse.down();
      // The library counts the distance from the second move on.
      await page.mouse.move(from - STARTS_PX, middle, { steps: 2 });
      await page.mouse.move(from - STARTS_PX - box.width * part, middle);
      const { painted, doubled } = await columns();
      await page.mouse.up();
      // A steep rise looks like two lines in places; a stroke backwards doubles half of the columns.
      expect(doubled, `of ${painted} columns`).toBeLessThan(painted / 3);
    }
    await page.context().close();
  });
});
