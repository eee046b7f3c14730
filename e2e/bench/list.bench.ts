/**
 * The sensors' list with a thousand sensors, in real Chromium. Compares scrolling it with scrolling an empty
 * page of the same height, and measures the cost of a frame in which every sensor reports while few of them
 * are visible.
 */

import { serveBenchPage } from "@mulkko/testing/bench/bench-page";
import { machine, median, percentile, spread } from "@mulkko/testing/bench/figures";
import { numberOf } from "@mulkko/testing/bench/number-option";
import { launchChromium } from "@mulkko/testing/engines/chromium";

const SENSORS = numberOf("BENCH_SENSORS", 1_000);
/** Few, so that all their rows are visible or near: the baseline of an update. */
const FEW = 50;
const PICTURES = numberOf("BENCH_PICTURES", 600);
const UPDATES = 30;
/** A frame that took longer was dropped, ms: two of a screen's sixty a second. */
const DROPPED_MS = 34;

interface Scrolled {
  frames: number[];
  rows: number;
  height: number;
}
interface Runner {
  rows(): number;
  scroll(pictures: number): Promise<Scrolled>;
  scrollBare(pictures: number): Promise<Scrolled>;
  update(): Promise<number>;
}
declare const bench: Runner;

const dropped = (frames: readonly number[]): string =>
  `${((frames.filter((ms) => ms > DROPPED_MS).length / frames.length) * 100).toFixed(1)} % dropped`;

console.log(machine());
const [served, browser] = await Promise.all([serveBenchPage(), launchChromium()]);
try {
  const open = async (sensors: number) => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${served.url}?page=list&sensors=${sensors}`);
    await page.waitForFunction(() => "bench" in globalThis && bench.rows() > 0);
    return page;
  };
  const updates = async (sensors: number) => {
    const page = await open(sensors);
    const times = await page.evaluate(async (count) => {
      const all: number[] = [];
      for (let update = 0; update < count; update += 1) {
        all.push(await bench.update());
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return { all: all.slice(5), rows: bench.rows() };
    }, UPDATES);
    await page.close();
    return times;
  };
  const page = await open(SENSORS);
  await page.evaluate((pictures) => bench.scroll(pictures), 120);
  const list = await page.evaluate((pictures) => bench.scroll(pictures), PICTURES);
  const bare = await page.evaluate((pictures) => bench.scrollBare(pictures), PICTURES);
  await page.close();
  console.log(
    `${SENSORS} sensors, ${list.rows} rows in the page, ${list.height} px high, ${PICTURES} pictures`,
  );
  console.log(`scrolling an empty page  ${spread(bare.frames)}  ${dropped(bare.frames)}`);
  const ratio = percentile(list.frames, 0.95) / percentile(bare.frames, 0.95);
  console.log(
    `scrolling the list       ${spread(list.frames)}  ${dropped(list.frames)}  p95 × ${ratio.toFixed(2)}`,
  );
  const [few, many] = [await updates(FEW), await updates(SENSORS)];
  console.log(`a frame of all, ${FEW} sensors, ${few.rows} rows     ${spread(few.all)}`);
  const each = (median(many.all) - median(few.all)) / (SENSORS - FEW);
  console.log(`a frame of all, ${SENSORS} sensors, ${many.rows} rows  ${spread(many.all)}`);
  console.log(`a reading out of sight     ${(each * 1_000).toFixed(1)} µs`);
} finally {
  await browser.close();
  await served.close();
}
console.log(machine());
