import { describe, expect, it } from "vitest";
import { contourY, landPath, linePath } from "./landscape.ts";

describe("[scenes] landscape", () => {
  it("[scenes] draws a contour without waves as a level line", () => {
    expect(linePath({ y: 10, waves: [] }, 0, 20)).toBe("M0 10L10 10L20 10");
  });
  it("[scenes] ends a line at its end point, also between two steps", () => {
    expect(linePath({ y: 5, waves: [] }, 0, 25)).toMatch(/L20 5L25 5$/);
  });
  it("[scenes] adds waves and shifts them along x", () => {
    const contour = {
      y: 100,
      waves: [
        [10, 400, 100],
        [5, 400, 0],
      ],
    } as const;
    expect(contourY(contour, 0)).toBeCloseTo(110);
  });
  it("[scenes] extends land to its bottom and closes it", () => {
    expect(landPath({ y: 5, waves: [] }, 10, 99)).toBe("M0 5L10 5V99H0Z");
  });
});
