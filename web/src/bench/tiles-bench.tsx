import { WidgetTiles } from "../features/dashboard/WidgetTiles.tsx";
import type { BenchFarm } from "./bench-farm.ts";

/** Times of one round in which each method renders the same numbers in the same tiles, ms. */
export interface TilesRound {
  /** Direct writes to the text nodes: the baseline. */
  readonly text: number;
  /** From the store to the laid-out page. */
  readonly draw: number;
  /** From the received frame to the laid-out page. */
  readonly wire: number;
}

const SETTLED = "[data-bench=tiles]";

/** Let React render the store's changes: it does so in a microtask. */
const drawn = async () => {
  for (let turn = 0; turn < 4; turn += 1) await Promise.resolve();
};

/** Return the number of rules in all style sheets of the page. */
function countRules(): number {
  return [...document.styleSheets].reduce((sum, sheet) => sum + sheet.cssRules.length, 0);
}

function measured(run: () => void): number {
  const began = performance.now();
  run();
  // Reading a size forces layout.
  document.body.getBoundingClientRect();
  return performance.now() - began;
}

/** The farm's tiles, and the same tiles as static markup with directly written numbers. */
export function TilesBench() {
  return (
    <div data-bench="tiles">
      <WidgetTiles />
    </div>
  );
}

/** Create the functions that the benchmark calls in the page; one farm for all rounds. */
export function createTilesRunner(farm: BenchFarm) {
  const live = document.querySelector(SETTLED);
  if (!live) throw new Error("the tiles are not drawn");
  return {
    tiles: () => live.querySelectorAll(".reading-value__number").length,
    rules: countRules,
    async round(): Promise<TilesRound> {
      const wire = await measuredFrame(farm);
      const draw = await measuredStore(farm);
      return { text: measuredText(live), draw, wire };
    },
  };
}

async function measuredFrame(farm: BenchFarm): Promise<number> {
  const frame = farm.nextFrame();
  const began = performance.now();
  farm.receive(frame);
  await drawn();
  document.body.getBoundingClientRect();
  return performance.now() - began;
}

async function measuredStore({ client: { store } }: BenchFarm): Promise<number> {
  const put = [...store.all("sensor")].map(([id, value]) => {
    const reading = Object.fromEntries(
      Object.entries(value.reading ?? {}).map(([name, number]) => [
        name,
        typeof number === "number" ? number + 0.1 : number,
      ]),
    );
    return { kind: "sensor", id, value: { ...value, reading } } as const;
  });
  const began = performance.now();
  store.apply({ put, remove: [] });
  await drawn();
  document.body.getBoundingClientRect();
  return performance.now() - began;
}

/** Show a copy of the tiles meanwhile, so that the browser lays out the same amount. */
function measuredText(live: Element): number {
  const copy = live.cloneNode(true);
  if (!(copy instanceof HTMLElement) || !(live instanceof HTMLElement)) throw new Error("no tiles to copy");
  live.before(copy);
  live.style.display = "none";
  const numbers = [...copy.querySelectorAll(".reading-value__number")];
  const texts = numbers.map(({ textContent }) => `${(Number(textContent) + 0.1).toFixed(1)}`);
  document.body.getBoundingClientRect();
  const ms = measured(() => {
    for (const [index, number] of numbers.entries()) number.textContent = texts[index] ?? "";
  });
  copy.remove();
  live.style.display = "";
  document.body.getBoundingClientRect();
  return ms;
}
