import { describe, expect, it } from "vitest";
import { driftAt } from "./use-drift.ts";

describe("drift of the frame", () => {
  it("[wall] moves over at most 24 px in small steps and visits all positions equally", () => {
    const places = Array.from({ length: 29 * 31 }, (_, minute) => driftAt(minute));
    const across = (axis: "x" | "y") => {
      const values = places.map((place) => place[axis]);
      return Math.max(...values) - Math.min(...values);
    };
    expect(across("x")).toBeLessThanOrEqual(24);
    expect(across("x")).toBeGreaterThanOrEqual(22);
    expect(across("y")).toBeLessThanOrEqual(24);
    for (const [minute, place] of places.slice(1).entries()) {
      const before = driftAt(minute);
      expect(Math.abs(place.x - before.x) + Math.abs(place.y - before.y)).toBeLessThanOrEqual(6);
    }
    expect(new Set(places.map(({ x, y }) => `${x} ${y}`)).size).toBeGreaterThan(300);
  });
});
