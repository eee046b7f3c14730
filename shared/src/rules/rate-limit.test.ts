import { describe, expect, it } from "vitest";
import { createRateLimit } from "./rate-limit.ts";

const WINDOW_MS = 10_000;

function bench(maxKeys?: number) {
  let now = 0;
  const limit = createRateLimit({ monotonic: () => now }, WINDOW_MS, maxKeys);
  return {
    limit,
    pass(ms: number) {
      now += ms;
    },
  };
}

describe("the rate limit of a key", () => {
  it("[HS-5] refuses beyond the limit, says when to retry, and admits in the next window", () => {
    const { limit, pass } = bench();
    expect([1, 2, 3].map(() => limit.refuses("a", 2))).toEqual([null, null, 10]);
    pass(9_100);
    expect(limit.refuses("a", 2)).toBe(1);
    pass(900);
    expect(limit.refuses("a", 2)).toBeNull();
  });

  it("[HS-5] counts each key by itself", () => {
    const { limit } = bench();
    limit.refuses("a", 1);
    expect(limit.refuses("b", 1)).toBeNull();
    expect(limit.refuses("a", 1)).not.toBeNull();
  });

  it("[HS-5] a refused event does not lengthen the window", () => {
    const { limit, pass } = bench();
    limit.refuses("a", 1);
    pass(9_999);
    expect(limit.refuses("a", 1)).toBe(1);
    pass(1);
    expect(limit.refuses("a", 1)).toBeNull();
  });

  it("[AUTH-5] an event that is taken back, and a forgotten key, do not count", () => {
    const { limit } = bench();
    limit.add("a");
    limit.add("a");
    limit.takeBack("a");
    expect(limit.get("a")).toEqual({ count: 1, restMs: WINDOW_MS });
    limit.forget("a");
    expect(limit.get("a")).toEqual({ count: 0, restMs: 0 });
  });

  it("[HS-5] forgets the oldest key beyond its bound", () => {
    const { limit } = bench(2);
    for (const key of ["a", "b", "c"]) limit.add(key);
    expect(["a", "b", "c"].map((key) => limit.get(key).count)).toEqual([0, 1, 1]);
  });
});
