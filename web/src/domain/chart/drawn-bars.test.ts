import { describe, expect, it } from "vitest";
import { chartTime, drawnBars } from "./band-series.ts";

/** Build a bar of the library. Bars outside the window keep positions of an earlier window. */
const bar = (time: number, x: number) => ({
  time,
  x,
  barColor: "",
  originalData: { time: chartTime(time), min: 0, max: 0, avg: 0, begins: false },
});
const bars = [bar(0, 400), bar(1, 300), bar(2, 5), bar(3, 15), bar(5, 35), bar(6, 20), bar(7, Number.NaN)];

describe("drawn bars", () => {
  it("[chart] places bars beside the window by their times, not by old positions", () => {
    const drawn = drawnBars({ bars, barSpacing: 10, visibleRange: { from: 2, to: 5 } });
    expect(drawn.map(({ time, x }) => [time, x])).toEqual([
      [1, -5],
      [2, 5],
      [3, 15],
      [5, 35],
      [6, 45],
    ]);
  });

  it("[chart] returns none if the window contains none", () => {
    expect(drawnBars({ bars, barSpacing: 10, visibleRange: { from: 7, to: 7 } })).toEqual([]);
    expect(drawnBars({ bars, barSpacing: 10, visibleRange: null })).toEqual([]);
    expect(drawnBars({ bars: [], barSpacing: 10, visibleRange: { from: 0, to: 1 } })).toEqual([]);
  });
});
