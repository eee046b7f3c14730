import { describe, expect, it } from "vitest";
import { createRowHeights, evenRowSpan, rowSpan } from "./row-span.ts";

const even = () => 10;

describe("row span", () => {
  it("[list] renders only rows in the visible range, and padding before and after", () => {
    expect(rowSpan(100, even, 25, 55)).toEqual({ first: 2, end: 6, before: 20, after: 940 });
  });
  it("[list] renders only padding for a list out of sight", () => {
    expect(rowSpan(5, even, 900, 1_000)).toEqual({ first: 5, end: 5, before: 50, after: 0 });
    expect(rowSpan(5, even, -500, -100)).toEqual({ first: 0, end: 0, before: 0, after: 50 });
    expect(rowSpan(0, even, 0, 100)).toEqual({ first: 0, end: 0, before: 0, after: 0 });
  });
  it("[list] keeps the total height at every position", () => {
    const heights = createRowHeights(50);
    for (let row = 0; row < 40; row += 1) heights.note(row, 30 + (row % 7));
    const rooms = [0, 200, 900, 5_000].map((top) => {
      const { first, end, before, after } = rowSpan(200, heights.of, top, top + 800);
      let shown = 0;
      for (let row = first; row < end; row += 1) shown += heights.of(row);
      return before + shown + after;
    });
    for (const room of rooms) expect(Math.abs(room - (rooms[0] ?? 0))).toBeLessThanOrEqual(2);
  });
  it("[list] assumes the average height for rows never rendered", () => {
    const heights = createRowHeights(50);
    expect(heights.of(7)).toBe(50);
    expect(heights.note(0, 80)).toBe(true);
    heights.note(1, 100);
    expect(heights.of(7)).toBe(90);
    expect(heights.of(0)).toBe(80);
    expect(heights.note(0, 80.2)).toBe(false);
    heights.note(0, 60);
    expect(heights.of(7)).toBe(80);
  });
  it("[list] computes the same span for equal rows without iterating over all", () => {
    for (const top of [-500, -25, 0, 25, 480, 990, 2_000])
      expect([top, evenRowSpan(100, 10, top, top + 55)]).toEqual([top, rowSpan(100, even, top, top + 55)]);
  });
});
