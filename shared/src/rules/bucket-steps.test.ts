import { describe, expect, it } from "vitest";
import { BUCKET_STEPS, DAY } from "./bucket-steps.ts";

describe("steps of buckets", () => {
  it("[history] divides a day by every step, or uses whole days, and keeps neighbouring steps close", () => {
    BUCKET_STEPS.forEach((step, index) => {
      expect(step <= DAY ? DAY % step : step % DAY).toBe(0);
      const before = BUCKET_STEPS[index - 1];
      if (before === undefined) return;
      expect(step).toBeGreaterThan(before);
      expect(step).toBeLessThanOrEqual(before * 2.5);
    });
  });
});
