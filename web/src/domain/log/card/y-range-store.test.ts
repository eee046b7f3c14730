import { describe, expect, it } from "vitest";
import { createFakeStorage } from "../../../testing/fake-storage.ts";
import { createYRangeStore, REMEMBERED_RANGES, rangeName, Y_RANGE_KEY } from "./y-ranges.ts";

const memory = (text?: string) => createFakeStorage(text === undefined ? [] : [[Y_RANGE_KEY, text]]);

describe("y range store", () => {
  it("[log] keeps a confirmed range for the next visit and every device of the type", () => {
    const storage = memory();
    createYRangeStore(storage).set(rangeName("SMS", "moisture"), { min: 10.5, max: 40 });
    const later = createYRangeStore(storage);
    expect(later.getState().get("SMS moisture")).toEqual({ min: 10.5, max: 40 });
    expect(later.getState().has("SSH moisture")).toBe(false);
    later.set("SMS moisture", null);
    expect(createYRangeStore(storage).getState().size).toBe(0);
  });
  it("[log] limits the number of ranges and drops the oldest", () => {
    const storage = memory();
    const store = createYRangeStore(storage);
    for (let n = 0; n <= REMEMBERED_RANGES; n += 1) store.set(`T${n} f`, { min: 0, max: n + 1 });
    const later = createYRangeStore(storage).getState();
    expect(later.has("T0 f")).toBe(false);
    expect(later.get("T1 f")).toEqual({ min: 0, max: 2 });
    expect(later.has(`T${REMEMBERED_RANGES} f`)).toBe(true);
  });
  it("[log] ignores stored data that is not a list of ranges", () => {
    for (const text of ["{", '{"a":1}', '[{"line":"a","min":"x"}]']) {
      expect(createYRangeStore(memory(text)).getState().size).toBe(0);
    }
  });
  it("[log] notifies subscribers of a change until they unsubscribe", () => {
    const store = createYRangeStore(memory());
    let calls = 0;
    const stop = store.subscribe(() => {
      calls += 1;
    });
    store.set("a", { min: 0, max: 1 });
    stop();
    store.set("a", null);
    expect(calls).toBe(1);
    expect(store.getState().size).toBe(0);
  });
});
