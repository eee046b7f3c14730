import { describe, expect, it } from "vitest";
import { pinsOf } from "./pins.ts";

describe("pins", () => {
  it("[dashboard] has north up and east right, with all pins inside the frame", () => {
    const [south, north, east] = pinsOf([
      { id: "s", latitude: 36, longitude: 127 },
      { id: "n", latitude: 36.1, longitude: 127 },
      { id: "e", latitude: 36, longitude: 127.1 },
    ]);
    expect(south?.y).toBeGreaterThan(north?.y ?? 1);
    expect(east?.x).toBeGreaterThan(south?.x ?? 1);
    for (const pin of [south, north, east]) {
      expect(Math.min(pin?.x ?? -1, pin?.y ?? -1)).toBeGreaterThanOrEqual(0.1);
      expect(Math.max(pin?.x ?? 2, pin?.y ?? 2)).toBeLessThanOrEqual(0.9);
    }
  });
  it("[dashboard] places a single pin in the middle", () => {
    const [only] = pinsOf([{ id: "s", latitude: 36, longitude: 127 }]);
    expect([only?.x, only?.y]).toEqual([0.5, 0.5]);
    expect(pinsOf([])).toEqual([]);
  });
});
