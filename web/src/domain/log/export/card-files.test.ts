import { describe, expect, it } from "vitest";
import { legendPlaces } from "./card-files.ts";

describe("picture of a chart", () => {
  it("[log] continues the legend in further rows at the right edge", () => {
    const places = legendPlaces([60, 60, 60, 60], 100, 360);
    expect(places.map(({ row }) => row)).toEqual([0, 0, 1, 1]);
    expect(places[2]?.x).toBe(16);
    for (const { x } of places) expect(x + 20 + 60).toBeLessThanOrEqual(360);
  });
  it("[log] starts the legend in the second row if a note fills the first", () => {
    expect(legendPlaces([60], 330, 360)).toEqual([{ x: 16, row: 1 }]);
  });
});
