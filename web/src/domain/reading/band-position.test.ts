import { describe, expect, it } from "vitest";
import { bandPosition } from "./range-band.tsx";

describe("[range-band] position", () => {
  it("[range-band] fills the middle half with the desired range and places the value in proportion", () => {
    expect(bandPosition(30, 25, 35)).toEqual({ at: 50, side: "inside" });
  });
  it("[range-band] shows the side of an outside value and keeps it on the track", () => {
    expect(bandPosition(18, 25, 35)).toMatchObject({ side: "below", at: 1 });
    expect(bandPosition(90, 25, 35)).toMatchObject({ side: "above", at: 99 });
  });
  it("[range-band] shows no needle without a value", () => {
    expect(bandPosition(null, 25, 35)).toMatchObject({ at: null, side: "missing" });
    expect(bandPosition(Number.NaN, 25, 35).at).toBeNull();
  });
});
