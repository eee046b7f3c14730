/**
 * Three hundred live tiles that all change at once, in real Chromium. Measures the client's cost above the
 * minimum, which is writing the same numbers into the text nodes of the same tiles. It also checks the
 * remains: an update must add no style rule.
 */

import { serveBenchPage } from "@mulkko/testing/bench/bench-page";
import { machine, median, spread } from "@mulkko/testing/bench/figures";
import { numberOf } from "@mulkko/testing/bench/number-option";
import { launchChromium } from "@mulkko/testing/engines/chromium";

const TILES = numberOf("BENCH_TILES", 300);
const ROUNDS = numberOf("BENCH_ROUNDS", 60);
const WARM_UP = 15;
/** An update must be drawn within this multiple of writing the text alone. */
const AIM = 1.5;

interface Round {
  text: number;
  draw: number;
  wire: number;
}
interface Runner {
  tiles(): number;
  rules(): number;
  round(): Promise<Round>;
}
declare const bench: Runner;

console.log(machine());
const [served, browser] = await Promise.all([serveBenchPage(), launchChromium()]);
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${served.url}?page=tiles&sensors=${TILES}`);
  await page.waitForFunction((tiles) => "bench" in globalThis && bench.tiles() === tiles, TILES);
  // The toasts' region is loaded late and brings a style rule, which is not an update's.
  await page.getByRole("region", { name: "Notifications" }).waitFor({ state: "attached" });
  const { rounds, added } = await page.evaluate(
    async ([count, warmUp]) => {
      const all: Round[] = [];
      for (let round = 0; round < (warmUp ?? 0); round += 1) await bench.round();
      const before = bench.rules();
      for (let round = 0; round < (count ?? 0); round += 1) {
        all.push(await bench.round());
        // Allowance for the page's own work.
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return { rounds: all, added: bench.rules() - before };
    },
    [ROUNDS, WARM_UP],
  );
  const of = (way: keyof Round) => rounds.map((round) => round[way]);
  const ratio = (way: keyof Round) => median(of(way)) / median(of("text"));
  console.log(`${TILES} tiles, each of them rendered again, ${ROUNDS} rounds`);
  console.log(`text nodes alone         ${spread(of("text"))}`);
  console.log(`from the store           ${spread(of("draw"))}  × ${ratio("draw").toFixed(2)} (aim ${AIM})`);
  console.log(`from the frame, parsed   ${spread(of("wire"))}  × ${ratio("wire").toFixed(2)}`);
  console.log(`style rules added        ${added}`);
  if (added > 0) throw new Error("an update has added style rules: a wall's page would grow for ever");
} finally {
  await browser.close();
  await served.close();
}
console.log(machine());
