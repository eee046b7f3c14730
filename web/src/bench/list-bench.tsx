import { SensorsPage } from "../features/sensors/SensorsPage.tsx";
import type { BenchFarm } from "./bench-farm.ts";
import { type Scrolled, scroll, scrollBare } from "./scrolling.ts";

export const ListBench = () => <SensorsPage />;

/** Create the functions that the benchmark calls in the page. */
export function createListRunner(farm: BenchFarm) {
  const rows = () => document.querySelectorAll(".device-row").length;
  return {
    rows,
    async scroll(pictures: number): Promise<Scrolled> {
      const frames = await scroll(pictures);
      return { frames, rows: rows(), height: document.documentElement.scrollHeight };
    },
    scrollBare,
    /** Measure the time from a frame with a reading of every sensor to the laid-out page, ms. */
    async update(): Promise<number> {
      const frame = farm.nextFrame();
      const began = performance.now();
      farm.receive(frame);
      for (let turn = 0; turn < 4; turn += 1) await Promise.resolve();
      document.body.getBoundingClientRect();
      return performance.now() - began;
    },
  };
}
