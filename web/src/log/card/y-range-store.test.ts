import { describe, expect, it } from "vitest";
import { createYRangeStore, REMEMBERED_RANGES, rangeName, Y_RANGE_KEY } from "./y-range-store.ts";

function memory(text?: string) {
  const items = new Map<string, string>(text === undefined ? [] : [[Y_RANGE_KEY, text]]);
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  };
}

describe("y range store", () => {
  it("[log] a range that was confirmed stands at the next visit, for every device of the type", () => {
    const storage = memory();
    createYRangeStore(storage).set(rangeName("SMS", "moisture"), { min: 10.5, max: 40 });
    const later = createYRangeStore(storage);
    expect(later.get("SMS moisture")).toEqual({ min: 10.5, max: 40 });
    expect(later.get("SSH moisture")).toBeNull();
    later.set("SMS moisture", null);
    expect(createYRangeStore(storage).get("SMS moisture")).toBeNull();
  });
  it("[log] remembers so many ranges and no more; the one that was set first goes", () => {
    const storage = memory();
    const store = createYRangeStore(storage);
    for (let n = 0; n <= REMEMBERED_RANGES; n += 1) store.set(`T${n} f`, { min: 0, max: n + 1 });
    const later = createYRangeStore(storage);
    expect(later.get("T0 f")).toBeNull();
    expect(later.get("T1 f")).toEqual({ min: 0, max: 2 });
    expect(later.get(`T${REMEMBERED_RANGES} f`)).not.toBeNull();
  });
  it("[log] what stands there and is no list of ranges is as good as nothing", () => {
    for (const text of ["{", '{"a":1}', '[{"line":"a","min":"x"}]']) {
      expect(createYRangeStore(memory(text)).get("a")).toBeNull();
    }
  });
  it("[log] tells who listens of a change, until they stop", () => {
    const store = createYRangeStore(memory());
    let heard = 0;
    const stop = store.subscribe(() => {
      heard += 1;
    });
    store.set("a", { min: 0, max: 1 });
    stop();
    store.set("a", null);
    expect(heard).toBe(1);
    expect(store.version()).toBe(2);
  });
});
