import { describe, expect, it } from "vitest";
import { readSharedYRange, readYRange } from "./y-ranges.ts";

describe("y range", () => {
  it("[log] reads numbers with a point or a comma, and anything else as 0", () => {
    expect(readYRange("-5", "40.9")).toEqual({ min: -5, max: 40.9 });
    expect(readYRange(" 5,5 ", "7,25")).toEqual({ min: 5.5, max: 7.25 });
    expect(readYRange("x", "10")).toEqual({ min: 0, max: 10 });
    expect(readYRange("", "10")).toEqual({ min: 0, max: 10 });
  });
  it("[log] is automatic for an empty pair; otherwise the minimum must be below the maximum", () => {
    expect(readYRange(" ", "")).toBeNull();
    expect(readYRange("10", "10")).toBe("wrong");
    expect(readYRange("10", "")).toBe("wrong");
  });
  it("[log] is automatic for two zeros in the dialog of a comparison", () => {
    expect(readSharedYRange("0", "0")).toBeNull();
    expect(readSharedYRange("", "")).toBeNull();
    expect(readSharedYRange("0", "30")).toEqual({ min: 0, max: 30 });
    expect(readSharedYRange("5", "0")).toBe("wrong");
  });
});
