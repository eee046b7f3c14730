import { describe, expect, it } from "vitest";
import { BUCKET_STEPS, DAY } from "./bucket-steps.ts";

describe("steps of buckets", () => {
  it("[history] every step divides a day, or is whole days, and none is far from the one before", () => {
    BUCKET_STEPS.forEach((step, index) => {
      expect(step <= DAY ? DAY % step : step % DAY).toBe(0);
      const before = BUCKET_STEPS[index - 1];
      if (before === undefined) return;
      expect(step).toBeGreaterThan(before);
      expect(step).toBeLessThanOrEqual(before * 2.5);
    });
  });
});
