/**
 * The fleet board with ten thousand devices of two hundred accounts, in real Chromium with software
 * rendering. Measures the frames per second while the board scrolls and two hundred devices flip each second,
 * against scrolling an empty page of the same height. Also measures the time of a flip from the received
 * frame to the screen.
 */

import { serveBenchPage } from "@mulkko/testing/bench/bench-page";
import { machine, median, percentile, spread } from "@mulkko/testing/bench/figures";
import { numberOf } from "@mulkko/testing/bench/number-option";
import { launchChromium } from "@mulkko/testing/engines/chromium";

const DEVICES = numberOf("BENCH_DEVICES", 10_000);
const ACCOUNTS = numberOf("BENCH_ACCOUNTS", 200);
const FLIPS = numberOf("BENCH_FLIPS", 200);
const PICTURES = numberOf("BENCH_PICTURES", 600);
const REST_MS = numberOf("BENCH_REST_MS", 10_000);
const COUNTED = 15;
/** Size of the fleet on the board. */
const LEAST_FRAMES = 30;
const ARRIVED_WITHIN_MS = 1_000;

interface Scrolled {
  frames: number[];
  rows: number;
  height: number;
}
interface FlippedScroll extends Scrolled {
  flips: number;
  arrivals: number[];
}
interface Runner {
  rows(): number;
  scroll(pictures: number, flipsPerSecond: number): Promise<FlippedScroll>;
  rest(ms: number, flipsPerSecond: number): Promise<FlippedScroll>;
  scrollBare(pictures: number): Promise<Scrolled>;
  counted(): Promise<number>;
}
declare const bench: Runner;

const total = (frames: readonly number[]): number => frames.reduce((sum, ms) => sum + ms, 0);
const perSecond = (frames: readonly number[]): number => (frames.length * 1_000) / total(frames);
const line = (name: string, { frames }: Scrolled): string =>
  `${name.padEnd(34)} ${perSecond(frames).toFixed(1).padStart(5)} frames/s  ${spread(frames)}`;

console.log(machine());
const [served, browser] = await Promise.all([serveBenchPage(), launchChromium()]);
let missed = false;
try {
  for (const view of ["list", "tight"]) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${served.url}?page=fleet&sensors=${DEVICES}&accounts=${ACCOUNTS}&view=${view}`);
    await page.waitForFunction(() => "bench" in globalThis && bench.rows() > 0);
    await page.evaluate(() => bench.scroll(60, 0));
    const bare = await page.evaluate((pictures) => bench.scrollBare(pictures), PICTURES);
    const still = await page.evaluate((pictures) => bench.scroll(pictures, 0), PICTURES);
    const busy = await page.evaluate(([pictures, flips]) => bench.scroll(pictures, flips), [
      PICTURES,
      FLIPS,
    ] as const);
    const rest = await page.evaluate(([ms, flips]) => bench.rest(ms, flips), [REST_MS, FLIPS] as const);
    const counted = await page.evaluate(async (count) => {
      const all: number[] = [];
      for (let flip = 0; flip < count; flip += 1) all.push(await bench.counted());
      return all;
    }, COUNTED);
    await page.close();
    console.log(
      `\n${view}: ${DEVICES} devices of ${ACCOUNTS} accounts, ${busy.rows} in the page, ${busy.height} px`,
    );
    console.log(line("scrolling an empty page", bare));
    console.log(line("scrolling, nothing flips", still));
    console.log(line(`scrolling, ${FLIPS} flips a second`, busy));
    console.log(line(`standing, ${FLIPS} flips a second`, rest));
    const ratio = perSecond(busy.frames) / perSecond(bare.frames);
    console.log(`frames beside flips / of an empty page  ${ratio.toFixed(2)}`);
    const arrivals = [...busy.arrivals, ...rest.arrivals];
    console.log(`a flip to its row    ${spread(arrivals)}  of ${arrivals.length} followed`);
    console.log(`a flip to the counts ${spread(counted)}`);
    const slowest = Math.max(percentile(arrivals, 0.99), percentile(counted, 0.99));
    missed ||=
      perSecond(busy.frames) < LEAST_FRAMES || slowest > ARRIVED_WITHIN_MS || Number.isNaN(median(arrivals));
  }
} finally {
  await browser.close();
  await served.close();
}
console.log(machine());
if (missed) {
  console.error(`missed: ${LEAST_FRAMES} frames a second, or a flip within ${ARRIVED_WITHIN_MS} ms`);
  process.exitCode = 1;
}
