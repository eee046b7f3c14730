import { describe, expect, it } from "vitest";
import { readYRange } from "./y-range.ts";

describe("y range", () => {
  it("[log] reads whole numbers, anything else as 0", () => {
    expect(readYRange("-5", "40.9")).toEqual({ min: -5, max: 40 });
    expect(readYRange("x", "10")).toEqual({ min: 0, max: 10 });
    expect(readYRange("", "10")).toEqual({ min: 0, max: 10 });
  });
  it("[log] an empty pair is the automatic range; the smallest must lie under the largest", () => {
    expect(readYRange(" ", "")).toBeNull();
    expect(readYRange("10", "10")).toBe("wrong");
    expect(readYRange("10", "")).toBe("wrong");
  });
});
