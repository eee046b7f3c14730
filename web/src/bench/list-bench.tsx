import { SensorsPage } from "../features/sensors/SensorsPage.tsx";
import type { BenchFarm } from "./bench-farm.ts";
import { type Scrolled, scroll, scrollBare } from "./scrolling.ts";

export const ListBench = () => <SensorsPage />;

/** Runs in the page, called by the bench. */
export function createListRunner(farm: BenchFarm) {
  const rows = () => document.querySelectorAll(".sensor-row").length;
  return {
    rows,
    async scroll(pictures: number): Promise<Scrolled> {
      const frames = await scroll(pictures);
      return { frames, rows: rows(), height: document.documentElement.scrollHeight };
    },
    scrollBare,
    /** ms from a frame in which every sensor reports to the laid-out page. */
    async update(): Promise<number> {
      const frame = farm.nextFrame();
      const began = performance.now();
      farm.take(frame);
      for (let turn = 0; turn < 4; turn += 1) await Promise.resolve();
      document.body.getBoundingClientRect();
      return performance.now() - began;
    },
  };
}
