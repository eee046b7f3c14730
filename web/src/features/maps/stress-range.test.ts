import { describe, expect, it } from "vitest";
import { legendLines } from "./StressLegend.tsx";

describe("legend of crop stress", () => {
  it("[spec 4] names every level with the indexes of its colour", () => {
    expect(legendLines()).toEqual([
      { level: "none", range: null },
      { level: "safe", range: [64, 68] },
      { level: "noEffect", range: [69, 73] },
      { level: "mild", range: [74, 80] },
      { level: "severe", range: [81, 89] },
      { level: "verySevere", range: [90, 98] },
      { level: "danger", range: [99, 100] },
    ]);
  });
});
