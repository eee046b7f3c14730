import { describe, expect, it } from "vitest";
import { compassPoint, formatMoisture, formatReading, formatStatistic, formatWithUnit } from "./format.ts";

describe("[ONL-5] number format", () => {
  it("[ONL-5] shows a missing value as -- and an exact zero as 00, which are different", () => {
    for (const missing of [null, undefined, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(formatReading(missing, { decimals: 1 })).toBe("--");
    }
    expect(formatReading(0, { decimals: 1 })).toBe("00");
    expect(formatReading(-0, { decimals: 1 })).toBe("00");
  });

  it("[spec 9] rounds to the field's decimals and scales Pa to kPa", () => {
    expect(formatReading(21.66, { decimals: 1 })).toBe("21.7");
    expect(formatReading(21.66, { decimals: 0 })).toBe("22");
    expect(formatReading(1431, { decimals: 1, scale: 0.001 })).toBe("1.4");
  });

  it("[spec 9] never prints a minus before a rounded zero", () => {
    expect(formatReading(-0.04, { decimals: 1 })).toBe("0.0");
  });

  it("[spec 9] shows a NaN statistic as 0.0", () => {
    expect(formatStatistic(Number.NaN, { decimals: 0 })).toBe("0.0");
    expect(formatStatistic(null, { decimals: 1 })).toBe("0.0");
    expect(formatStatistic(12.34, { decimals: 1 })).toBe("12.3");
  });

  it("[spec 9] shows moisture with one decimal", () => {
    expect(formatMoisture(32.44)).toBe("32.4");
    expect(formatMoisture(null)).toBe("--");
  });

  it("[numbers] groups thousands", () => {
    expect(formatReading(1013.24, { decimals: 1 })).toBe("1,013.2");
    expect(formatReading(-1234567, { decimals: 0 })).toBe("-1,234,567");
    expect(formatReading(999.9, { decimals: 1 })).toBe("999.9");
    expect(formatReading(0.12345, { decimals: 5 })).toBe("0.12345");
  });

  it("[numbers] writes 10,000 L and more as m³, and 10,000 lx and more as klx", () => {
    expect(formatWithUnit(4_590_124.1, { decimals: 1 }, "L")).toEqual({ text: "4,590.1", unit: "m³" });
    expect(formatWithUnit(36_676, { decimals: 0 }, "lx")).toEqual({ text: "36.7", unit: "klx" });
    expect(formatWithUnit(9_999, { decimals: 0 }, "lx")).toEqual({ text: "9,999", unit: "lx" });
    expect(formatWithUnit(10_500, { decimals: 1 }, "hPa")).toEqual({ text: "10,500.0", unit: "hPa" });
    expect(formatWithUnit(null, { decimals: 1 }, "L")).toEqual({ text: "--", unit: "L" });
  });

  it("[numbers] names a direction by the nearest of sixteen points", () => {
    expect([0, 11, 12, 247.3, 349, 360, -45].map(compassPoint)).toEqual([
      "n",
      "n",
      "nne",
      "wsw",
      "n",
      "n",
      "nw",
    ]);
  });
});
