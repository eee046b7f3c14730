import { describe, expect, it } from "vitest";
import { formatMoisture, formatReading, formatStatistic } from "./format.ts";

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
});
