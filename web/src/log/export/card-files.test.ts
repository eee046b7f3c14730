import { describe, expect, it } from "vitest";
import { legendPlaces } from "./card-files.ts";

describe("a chart's picture", () => {
  it("[log] the legend goes on in further rows where the picture ends", () => {
    const places = legendPlaces([60, 60, 60, 60], 100, 360);
    expect(places.map(({ row }) => row)).toEqual([0, 0, 1, 1]);
    expect(places[2]?.x).toBe(16);
    for (const { x } of places) expect(x + 20 + 60).toBeLessThanOrEqual(360);
  });
  it("[log] beside a note that fills the first row the legend begins in the second", () => {
    expect(legendPlaces([60], 330, 360)).toEqual([{ x: 16, row: 1 }]);
  });
});
