import { describe, expect, it } from "vitest";
import { sparklinePath, sparklineScale, sparklineY } from "./sparkline.tsx";

const scaleOf = (values: readonly (number | null)[], band: { low: number; high: number } | null = null) => {
  const scale = sparklineScale(values, band);
  if (scale === null) throw new Error("nothing measured");
  return scale;
};

describe("[sparkline] path", () => {
  it("[sparkline] breaks the line at a missing sample", () => {
    const values = [1, 2, null, null, 2, 1];
    const path = sparklinePath(values, scaleOf(values));
    expect(path.match(/M/g)).toHaveLength(2);
    expect(path.match(/L/g)).toHaveLength(2);
  });

  it("[sparkline] draws a sample between two gaps as a dot", () => {
    const values = [1, null, 5, null, 1, 2];
    const path = sparklinePath(values, scaleOf(values));
    expect(path).toContain("h0");
    expect(path.match(/M/g)).toHaveLength(3);
  });

  it("[sparkline] keeps the positions of samples if others are missing", () => {
    const values = [null, null, 3, null, null];
    expect(sparklinePath(values, scaleOf(values))).toMatch(/^M80 /);
  });

  it("[sparkline] treats NaN as missing", () => {
    const values = [1, Number.NaN, 2];
    expect(sparklinePath(values, scaleOf(values))).not.toContain("NaN");
  });

  it("[sparkline] centres a flat line and always includes the band", () => {
    expect(sparklineY(7, scaleOf([7, 7, 7]))).toBeCloseTo(16);
    const scale = scaleOf([30, 31], { low: 10, high: 20 });
    expect(sparklineY(10, scale)).toBeLessThan(32);
    expect(sparklineY(31, scale)).toBeGreaterThan(0);
  });

  it("[sparkline] has no scale without samples", () => {
    expect(sparklineScale([null, null], { low: 1, high: 2 })).toBeNull();
  });
});
