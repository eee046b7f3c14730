/**
 * The map in a browser with software rendering: 20,000 devices, of which 200 change each second, beside an
 * empty map in the same run. The result is the ratio of frames while the map is dragged, and of the page's
 * own CPU time.
 */
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { machine, median } from "@mulkko/testing/bench/figures";
import { launchChromium } from "@mulkko/testing/engines/chromium";
import { freePort } from "@mulkko/testing/engines/free-port";
import type { Page } from "playwright-core";

const WEB = resolve(import.meta.dirname, "../../web");
const PARTS = [
  { label: "empty map", markers: 0, changes: 0 },
  { label: "20,000 devices, still", markers: 20_000, changes: 0 },
  { label: "20,000 devices, 200 changes a second", markers: 20_000, changes: 200 },
] as const;
/** Duration of the dragging, ms. */
const DRAGGED_MS = 10_000;
const STILL_MS = 10_000;
const STARTED_WITHIN_MS = 60_000;
const DRAWN_WITHIN_MS = 180_000;

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

/** Return a meter of the main thread's CPU time, in seconds since the start of the session. */
async function workOf(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
  };
}

async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByTestId("farm-map").locator("canvas").first().waitFor({ timeout: DRAWN_WITHIN_MS });
  await page
    .getByTestId("farm-map")
    .getByTestId("map-note")
    .waitFor({ state: "detached", timeout: DRAWN_WITHIN_MS });
  await wait(3_000);
}

/** Measure the ms between frames while the map is dragged back and forth. */
async function drag(page: Page): Promise<number[]> {
  const box = await page.getByTestId("farm-map").boundingBox();
  if (!box) throw new Error("there is no map");
  await page.evaluate(() => {
    const frames: number[] = [];
    let before = performance.now();
    const note = (now: number): void => {
      frames.push(now - before);
      before = now;
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
    Reflect.set(globalThis, "drawnFrames", frames);
  });
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  const until = performance.now() + DRAGGED_MS;
  for (let step = 0; performance.now() < until; step += 1) {
    await page.mouse.move(x + 120 * Math.sin(step / 6), y + 80 * Math.cos(step / 9));
  }
  await page.mouse.up();
  const frames: number[] = await page.evaluate(() => Reflect.get(globalThis, "drawnFrames"));
  return frames.slice(1);
}

console.log(machine());
const port = await freePort();
const vite = spawn(
  process.execPath,
  [resolve(WEB, "node_modules/vite/bin/vite.js"), "--port", `${port}`, "--strictPort"],
  { cwd: WEB, stdio: "ignore" },
);
const browser = await launchChromium();
try {
  const benchPage = `http://localhost:${port}/bench.html`;
  const deadline = performance.now() + STARTED_WITHIN_MS;
  while (!(await answers(benchPage))) {
    if (performance.now() > deadline) throw new Error("the page did not start");
    await wait(200);
  }
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const worked = await workOf(page);
  for (const { label, markers, changes } of PARTS) {
    await open(page, `${benchPage}?page=map&markers=${markers}&changes=${changes}`);
    const before = await worked();
    await wait(STILL_MS);
    const cpu = (await worked()) - before;
    const frames = await drag(page);
    const slowest = Math.max(...frames);
    console.log(
      `${label}: main thread ${((cpu / STILL_MS) * 1e5).toFixed(1)} % without input; dragged: ${frames.length} frames, median ${median(frames).toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms`,
    );
  }
} finally {
  await browser.close();
  vite.kill();
}
