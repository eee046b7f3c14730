import { describe, expect, it } from "vitest";
import { cellOf, excelTime } from "./write-workbook.ts";

describe("workbook", () => {
  it("[spec 9] contains times as numbers that Excel shows as the original wall time", () => {
    expect(excelTime("1970-01-01 00:00:00")).toBe(25_569);
    expect(excelTime("2026-11-22 12:00")).toBe(46_348.5);
    expect(cellOf("2026-11-22 12:00", { kind: "time" })).toEqual({
      t: "n",
      v: 46_348.5,
      z: "yyyy-mm-dd hh:mm:ss",
    });
  });
  it("[spec 9] leaves a cell empty if its value does not match the column, never 0 or NaN", () => {
    for (const nothing of [null, undefined, Number.NaN, Number.POSITIVE_INFINITY, "7", {}]) {
      expect(cellOf(nothing, { kind: "number" })).toBeNull();
      expect(cellOf(nothing, { kind: "time" })).toBeNull();
    }
    expect(cellOf(0, { kind: "number" })).toEqual({ t: "n", v: 0 });
    expect(cellOf("", { kind: "text" })).toBeNull();
    expect(cellOf(7, { kind: "text" })).toEqual({ t: "s", v: "7" });
  });
});
