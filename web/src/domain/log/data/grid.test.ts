import { describe, expect, it } from "vitest";
import { gridOf } from "./log-data.ts";

const HOUR = 3_600_000;
const NOW = Date.parse("2026-11-21T03:31:07Z");

describe("grid", () => {
  it("[log] has at most one bucket per CSS pixel, with steps that divide an hour or a day", () => {
    for (const hours of [1, 3, 12, 48, 168, 720, 2_200, 44_000]) {
      for (const width of [300, 357, 800, 1_900]) {
        const grid = gridOf({ from: NOW - hours * HOUR, to: NOW }, width);
        expect(grid.buckets).toBeLessThanOrEqual(width);
        expect(grid.buckets * grid.step).toBe(grid.to - grid.from);
        expect(grid.from % grid.step).toBe(0);
        expect(grid.from).toBeLessThanOrEqual(NOW - hours * HOUR);
        expect(grid.to).toBeGreaterThanOrEqual(NOW);
      }
    }
  });
  it("[log] is no finer than the demo's reporting interval, and no coarser than needed", () => {
    expect(gridOf({ from: NOW - HOUR, to: NOW }, 1_000).step).toBe(10_000);
    expect(gridOf({ from: NOW - 3 * HOUR, to: NOW }, 1_000).step).toBe(15_000);
    expect(gridOf({ from: NOW - 168 * HOUR, to: NOW }, 1_000).step).toBe(900_000);
    expect(gridOf({ from: NOW - 3 * 365 * 24 * HOUR, to: NOW }, 390).step).toBe(72 * HOUR);
  });
});
