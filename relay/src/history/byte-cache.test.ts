import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { describe, expect, it } from "vitest";
import { createByteCache } from "./byte-cache.ts";

describe("the cache of rows", () => {
  it("[history] evicts the least recently used entries beyond its limit in bytes", () => {
    const cache = createByteCache<{ name: string }>(createFakeClock(), 100);
    for (const key of ["a", "b", "c"]) cache.set(key, { name: key }, 30, 1_000);
    cache.get("a");
    cache.set("d", { name: "d" }, 40, 1_000);
    expect(["a", "b", "c", "d"].map((key) => cache.get(key)?.name)).toEqual(["a", undefined, "c", "d"]);
    expect(cache.bytes).toBe(100);
  });

  it("[history] keeps nothing beyond its time, and no value larger than the cache", () => {
    const clock = createFakeClock();
    const cache = createByteCache<{ name: string }>(clock, 100);
    cache.set("short", { name: "x" }, 10, 1_000);
    cache.set("large", { name: "x" }, 101, 1_000);
    clock.advance(1_001);
    expect([cache.get("short"), cache.get("large"), cache.bytes]).toEqual([undefined, undefined, 0]);
  });

  it("[history] counts a replaced value once", () => {
    const cache = createByteCache<{ name: string }>(createFakeClock(), 100);
    cache.set("a", { name: "old" }, 60, 1_000);
    cache.set("a", { name: "new" }, 70, 1_000);
    expect([cache.get("a")?.name, cache.bytes]).toEqual(["new", 70]);
    cache.delete("a");
    expect(cache.bytes).toBe(0);
  });
});
