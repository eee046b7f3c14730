import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bandOf, bandPosition } from "./range-band.tsx";
import { bandOfSensor } from "./sensor-band.tsx";

const automatic = (lowerBound: number | null, upperBound: number | null) => ({
  active: "automatic" as const,
  automatic: { lowerBound, upperBound, wateringDuration: 5 },
  reservation: null,
  period: null,
});
const percent = fc.double({ min: 0, max: 100, noNaN: true });

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

describe("the band of a soil", () => {
  it("[UI-4] is there only between two bounds of the automatic mode that leave a range", () => {
    expect(bandOf(null)).toBeNull();
    expect(bandOf({ automatic: null })).toBeNull();
    const bound = fc.option(percent);
    fc.assert(
      fc.property(bound, bound, (low, high) => {
        const isRange = low !== null && high !== null && low < high;
        expect(bandOf(automatic(low, high))).toEqual(isRange ? { low, high } : null);
      }),
    );
  });
  it("[UI-4] is the same of a sensor and of the valve that it steers", () => {
    const valve = { sensorIds: [7, "s1"], modes: automatic(30, 34) };
    expect(bandOfSensor([valve], "s1")).toEqual({ low: 30, high: 34 });
    expect(bandOfSensor([valve], "7")).toEqual({ low: 30, high: 34 });
    expect(bandOfSensor([valve], "s2")).toBeNull();
    const alike = { ...valve, modes: automatic(30, 34) };
    expect(bandOfSensor([valve, alike, { ...valve, modes: null }], "s1")).toEqual({ low: 30, high: 34 });
    expect(bandOfSensor([valve, { ...valve, modes: automatic(20, 24) }], "s1")).toBeNull();
  });
});
