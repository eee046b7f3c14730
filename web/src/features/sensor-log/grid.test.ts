import { describe, expect, it } from "vitest";
import { cadenceOf, gridOf } from "./grid.ts";

const HOUR = 3_600_000;
const NOW = Date.parse("2026-11-21T03:31:07Z");

describe("grid", () => {
  it("[log] has at most one bucket per CSS pixel, on steps that divide the clock", () => {
    for (const hours of [1, 3, 12, 48, 168, 720, 2_200, 44_000]) {
      for (const width of [300, 357, 800, 1_900]) {
        const grid = gridOf({ from: NOW - hours * HOUR, to: NOW }, width, 0);
        expect(grid.buckets).toBeLessThanOrEqual(width);
        expect(grid.buckets * grid.step).toBe(grid.to - grid.from);
        expect(grid.from % grid.step).toBe(0);
        expect(grid.from).toBeLessThanOrEqual(NOW - hours * HOUR);
        expect(grid.to).toBeGreaterThanOrEqual(NOW);
      }
    }
  });
  it("[log] has no bucket shorter than the time between two readings", () => {
    expect(gridOf({ from: NOW - HOUR, to: NOW }, 1_000, 0).step).toBe(10_000);
    expect(gridOf({ from: NOW - HOUR, to: NOW }, 1_000, 280_000).step).toBe(300_000);
  });
  it("[log] learns that time from an answer, outages aside", () => {
    const every5 = Array.from({ length: 400 }, (_, index) =>
      index % 5 === 0 && !(index > 100 && index < 200) ? 1 : 0,
    );
    expect(cadenceOf(every5, 10_000)).toBe(50_000);
    expect(cadenceOf(Array(100).fill(3), 10_000)).toBe(0);
    expect(cadenceOf([0, 1, 0, 0], 10_000)).toBe(0);
  });
});
