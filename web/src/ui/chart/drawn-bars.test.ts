import { describe, expect, it } from "vitest";
import { chartTime } from "./band-point.ts";
import { drawnBars } from "./drawn-bars.ts";

/** Bars of the library; those beyond the window keep places of an earlier one. */
const bar = (time: number, x: number) => ({
  time,
  x,
  barColor: "",
  originalData: { time: chartTime(time), min: 0, max: 0, avg: 0, begins: false },
});
const bars = [bar(0, 400), bar(1, 300), bar(2, 5), bar(3, 15), bar(5, 35), bar(6, 20), bar(7, Number.NaN)];

describe("bars that are drawn", () => {
  it("[chart] stand beside the window where their times are, not where they stood before", () => {
    const drawn = drawnBars({ bars, barSpacing: 10, visibleRange: { from: 2, to: 5 } });
    expect(drawn.map(({ time, x }) => [time, x])).toEqual([
      [1, -5],
      [2, 5],
      [3, 15],
      [5, 35],
      [6, 45],
    ]);
  });

  it("[chart] are none where the window holds none", () => {
    expect(drawnBars({ bars, barSpacing: 10, visibleRange: { from: 7, to: 7 } })).toEqual([]);
    expect(drawnBars({ bars, barSpacing: 10, visibleRange: null })).toEqual([]);
    expect(drawnBars({ bars: [], barSpacing: 10, visibleRange: { from: 0, to: 1 } })).toEqual([]);
  });
});
