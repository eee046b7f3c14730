import { seededRandom } from "@mulkko/shared/testing/random";
import { describe, expect, it } from "vitest";
import { reconnectDelay } from "./connection.ts";

describe("backoff", () => {
  it("[LIVE-2] spreads each wait over 0 to a ceiling that doubles from 1 s to 30 s", () => {
    const random = seededRandom(7);
    for (const [attempt, ceiling] of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
      const waits = Array.from({ length: 500 }, () => reconnectDelay(attempt, random));
      expect(Math.max(...waits)).toBeLessThanOrEqual(ceiling);
      expect(Math.max(...waits)).toBeGreaterThan(ceiling * 0.95);
      expect(Math.min(...waits)).toBeLessThan(ceiling * 0.05);
    }
    expect(reconnectDelay(1_000_000, () => 1)).toBe(30_000);
  });
});
