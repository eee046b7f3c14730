import { describe, expect, it } from "vitest";
import { contourY, landPath, linePath } from "./landscape.ts";

describe("[scenes] landscape", () => {
  it("[scenes] a contour without waves is level", () => {
    expect(linePath({ y: 10, waves: [] }, 0, 20)).toBe("M0 10L10 10L20 10");
  });
  it("[scenes] a line ends where it is told, also between two steps", () => {
    expect(linePath({ y: 5, waves: [] }, 0, 25)).toMatch(/L20 5L25 5$/);
  });
  it("[scenes] waves add up and are shifted along x", () => {
    const contour = {
      y: 100,
      waves: [
        [10, 400, 100],
        [5, 400, 0],
      ],
    } as const;
    expect(contourY(contour, 0)).toBeCloseTo(110);
  });
  it("[scenes] land reaches down to its bottom and is closed", () => {
    expect(landPath({ y: 5, waves: [] }, 10, 99)).toBe("M0 5L10 5V99H0Z");
  });
});
