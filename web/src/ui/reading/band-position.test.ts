import { describe, expect, it } from "vitest";
import { bandPosition } from "./band-position.ts";

describe("[range-band] position", () => {
  it("[range-band] the desired range fills the middle half and the value lies proportionally in it", () => {
    expect(bandPosition(30, 25, 35)).toEqual({ start: 25, end: 75, at: 50, side: "inside" });
  });
  it("[range-band] a value outside is told by its side and stays on the track", () => {
    expect(bandPosition(18, 25, 35)).toMatchObject({ side: "below", at: 1 });
    expect(bandPosition(90, 25, 35)).toMatchObject({ side: "above", at: 99 });
  });
  it("[range-band] a missing value has no needle", () => {
    expect(bandPosition(null, 25, 35)).toMatchObject({ at: null, side: "missing" });
    expect(bandPosition(Number.NaN, 25, 35).at).toBeNull();
  });
});
