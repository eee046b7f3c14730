import { describe, expect, it } from "vitest";
import { readDecimal } from "./decimal.ts";

describe("decimal", () => {
  it("[form] reads a number with a comma or a point", () => {
    expect(["36,5", "36.5", " 36.5 ", "-7", "+7", "5.", ".5"].map(readDecimal)).toEqual([
      36.5, 36.5, 36.5, -7, 7, 5, 0.5,
    ]);
  });
  it("[form] returns null for empty text and NaN for text that is not a number", () => {
    expect(readDecimal("")).toBeNull();
    expect(readDecimal("  ")).toBeNull();
    for (const text of ["a", "1e3", "1.2.3", "1,2,3", "12 %", "0x10", "Infinity", "-"]) {
      expect(readDecimal(text), text).toBeNaN();
    }
  });
});
