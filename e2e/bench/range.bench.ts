/**
 * Choosing a range of the log, from the click to the pixels, in real Chromium in front of the real product:
 * three years of one device with four lines against one day of it, in turns. `pnpm bench range`.
 */

import { machine, median, spread } from "@mulkko/testing/bench/figures";
import { importHistory } from "@mulkko/testing/bench/import-history";
import { numberOf } from "@mulkko/testing/bench/number-option";
import { launchChromium } from "@mulkko/testing/engines/chromium";
import { signIn } from "@mulkko/testing/stack/account";
import { startStack } from "@mulkko/testing/stack/start-stack";
import { newVisitor } from "@mulkko/testing/stack/visitor";
import type { Page } from "playwright-core";
import { signInOnPage } from "../pages/login.ts";

/** A station of nutrient solution: four cards. */
const SERIAL = 24_110_112;
const FIELDS = ["temperature", "ph", "ec", "gdo"];
const ROUNDS = numberOf("BENCH_ROUNDS", 12);
const WARM_UP = 3;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const EVERY_MS = 10 * MINUTE_MS;
const YEARS_MS = 3 * 365 * DAY_MS;
/** Three years must appear within this multiple of a day's range. */
const AIM = 2;
/** The demo has its own last days; the imported rows lie before them. */
const UNTIL = Math.floor(Date.now() / DAY_MS) * DAY_MS - 10 * DAY_MS;

function* rows(): Generator<{ at: number; values: number[] }> {
  for (let at = UNTIL - YEARS_MS - 40 * DAY_MS; at < UNTIL; at += EVERY_MS) {
    const day = (at / DAY_MS) * 2 * Math.PI;
    const wave = (middle: number, swing: number, slow: number): number =>
      Math.round((middle + swing * Math.sin(day) + (swing / 2) * Math.sin(day / slow)) * 100) / 100;
    yield { at, values: [wave(20, 6, 365), wave(6.2, 0.3, 90), wave(1.8, 0.2, 30), wave(8, 1, 180)] };
  }
}

interface Chosen {
  /** ms to the last stroke on a canvas, and two more frames. */
  ms: number;
  /** ms until the answer arrived. */
  answer: number;
}

/** Show another range of the open page, and return when its last line was drawn. */
const choose = (page: Page, start: string, end: string): Promise<Chosen> =>
  page.evaluate(
    async ([from, to]) => {
      const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
      const query = new URLSearchParams(location.search);
      query.delete("range");
      query.set("start", from ?? "");
      query.set("end", to ?? "");
      const began = performance.now();
      Reflect.set(globalThis, "lastStroke", began);
      history.pushState(null, "", `?${query}`);
      dispatchEvent(new PopStateEvent("popstate", { state: null }));
      const strokes = (): number => Number(Reflect.get(globalThis, "lastStroke"));
      const answered = (): number => {
        const asked = performance
          .getEntriesByType("resource")
          .filter(({ name, startTime }) => name.includes("/relay/history") && startTime >= began);
        const last = asked.at(-1);
        return last instanceof PerformanceResourceTiming ? last.responseEnd : 0;
      };
      // Drawn once the answer has arrived and no stroke followed for a while.
      const QUIET_MS = 400;
      for (;;) {
        await frame();
        const end = answered();
        if (end > 0 && strokes() > end && performance.now() - strokes() > QUIET_MS) break;
        if (performance.now() - began > 30_000) throw new Error("nothing was drawn");
      }
      const drawn = strokes();
      const first = await frame();
      const second = await frame();
      return { ms: drawn - began + 2 * (second - first), answer: answered() - began };
    },
    [start, end],
  );

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

console.log(machine());
const browser = await launchChromium();
const stack = await startStack({ DEMO_INTERVAL_MS: "3600000", LOG_LEVEL: "warn" });
try {
  const stored = await importHistory(stack, { serial: SERIAL, fields: FIELDS, rows: rows() });
  const account = await signIn(stack.url, "farmer");
  const sensor = (await account.sensors()).find(({ serial }) => Number(serial) === SERIAL);
  if (!sensor) throw new Error(`the farmer has no sensor ${SERIAL}`);
  const visitor = await newVisitor(browser, { viewport: "desktop", locale: "ko-KR", colorScheme: "light" });
  const page = await visitor.newPage();
  await page.addInitScript(() => {
    const { prototype } = CanvasRenderingContext2D;
    const { stroke } = prototype;
    Reflect.set(prototype, "stroke", function stroked(this: CanvasRenderingContext2D, ...args: [Path2D?]) {
      Reflect.set(globalThis, "lastStroke", performance.now());
      return Reflect.apply(stroke, this, args);
    });
    performance.setResourceTimingBufferSize(5_000);
  });
  await signInOnPage(page, stack.url, "farmer");
  await page.goto(`${stack.url}/sensors/type?id=${sensor.id}`);
  await page.locator("canvas").first().waitFor();
  const days: Chosen[] = [];
  const years: Chosen[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    // Another range each time: a repeated one would be answered as unchanged.
    const end = UNTIL - (round + WARM_UP + 1) * DAY_MS;
    const day = await choose(page, dayOf(end), dayOf(end));
    const whole = await choose(page, dayOf(end - YEARS_MS), dayOf(end));
    if (round < 0) continue;
    days.push(day);
    years.push(whole);
  }
  const ms = (all: readonly Chosen[]) => all.map((each) => each.ms);
  const answers = (all: readonly Chosen[]) => all.map(({ answer }) => answer);
  const ratio = median(ms(years)) / median(ms(days));
  console.log(`${stored} readings of ${FIELDS.length} lines, ${ROUNDS} rounds`);
  console.log(`one day      on the screen ${spread(ms(days))}   answer ${spread(answers(days))}`);
  console.log(`three years  on the screen ${spread(ms(years))}   answer ${spread(answers(years))}`);
  console.log(`three years  × ${ratio.toFixed(2)} of one day (aim ${AIM})`);
  await visitor.close();
} finally {
  await browser.close();
  await stack.close();
}
console.log(machine());
