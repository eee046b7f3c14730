/**
 * Eight hours of one device on its log, in minutes: the page's own clock moves with the readings, as fast as
 * they are drawn. The memory of the page must not grow over the second half. `pnpm bench stream`.
 */

import { serveBenchPage } from "@mulkko/testing/bench/bench-page";
import { machine } from "@mulkko/testing/bench/figures";
import { numberOf } from "@mulkko/testing/bench/number-option";
import { launchChromium } from "@mulkko/testing/engines/chromium";
import type { CDPSession } from "playwright-core";

const HOURS = numberOf("BENCH_HOURS", 8);
const READINGS = (HOURS * 3_600) / 10;
const QUARTERS = 4;
/** Allowed growth of the second half: garbage collection alone varies by this share. */
const AIM = 0.03;
/** Compiled code counts as heap and grows for hours: without the compilers only what the page keeps is left. */
const NO_COMPILERS = ["--js-flags=--no-sparkplug --no-maglev --no-opt"];

interface Counts {
  rules: number;
  canvases: number;
  elements: number;
}
interface Runner {
  ready(): boolean;
  run(readings: number): Promise<void>;
  counts(): Counts;
}
declare const bench: Runner;

interface Held extends Counts {
  heap: number;
  nodes: number;
  listeners: number;
}

const HELD = ["heap", "nodes", "listeners", "elements", "canvases", "rules"] as const;

async function heldBy(cdp: CDPSession, counts: () => Promise<Counts>): Promise<Held> {
  // The second collection frees the objects that finalisers released.
  for (let turn = 0; turn < 2; turn += 1) await cdp.send("HeapProfiler.collectGarbage");
  const { usedSize: heap } = await cdp.send("Runtime.getHeapUsage");
  const { nodes, jsEventListeners: listeners } = await cdp.send("Memory.getDOMCounters");
  return { ...(await counts()), heap, nodes, listeners };
}

console.log(machine());
const [served, browser] = await Promise.all([serveBenchPage(), launchChromium(NO_COMPILERS)]);
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${served.url}?page=stream&sensors=1`);
  await page.waitForFunction(() => "bench" in globalThis && bench.ready());
  const cdp = await page.context().newCDPSession(page);
  const counts = () => page.evaluate(() => bench.counts());
  const held: Held[] = [];
  console.log(`${READINGS} readings, ${HOURS} hours`);
  for (let quarter = 1; quarter <= QUARTERS; quarter += 1) {
    await page.evaluate((readings) => bench.run(readings), READINGS / QUARTERS);
    const now = await heldBy(cdp, counts);
    held.push(now);
    const { heap, nodes, listeners, rules, canvases, elements } = now;
    console.log(
      `${(quarter * 100) / QUARTERS} %`.padEnd(6),
      `heap ${(heap / 1e6).toFixed(2)} MB  nodes ${nodes}  listeners ${listeners}  elements ${elements}  canvases ${canvases}  style rules ${rules}`,
    );
  }
  const [, half, , end] = held;
  if (!half || !end) throw new Error("nothing was measured");
  const grown = HELD.filter((name) => end[name] > half[name] * (1 + AIM));
  console.log(`heap over the second half × ${(end.heap / half.heap).toFixed(3)} (aim ${1 + AIM})`);
  if (grown.length > 0) throw new Error(`over the second half grew: ${grown.join(", ")}`);
} finally {
  await browser.close();
  await served.close();
}
console.log(machine());
