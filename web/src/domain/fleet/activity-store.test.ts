import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { describe, expect, it } from "vitest";
import { BEATS_FRESH_MS, BEATS_PAGE, createActivityStore } from "./activity-store.ts";

function setUp() {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const asked: string[][] = [];
  let broken = false;
  const fetch = async (ids: readonly string[]) => {
    asked.push([...ids]);
    if (broken) throw new Error("away");
    const beats = Object.fromEntries(ids.filter((id) => id !== "unknown").map((id) => [id, `bar of ${id}`]));
    return { from: "2026-11-22T00:00:00Z", slotMs: 1, beats };
  };
  const store = createActivityStore(fetch, timers, clock);
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `d${index}`);
  const breakDown = (is: boolean) => {
    broken = is;
  };
  return { store, timers, asked, ids, breakDown };
}

describe("[fleet] heartbeat bars", () => {
  it("[fleet] are requested in pages, for the rows visible when scrolling stops", async () => {
    const { store, timers, asked, ids } = setUp();
    const stops = ids(BEATS_PAGE + 10).map((id) => store.subscribe(id, () => undefined));
    // The first ten scroll past.
    for (const stop of stops.slice(0, 10)) stop();
    await timers.pass(150);
    expect(asked.map(({ length }) => length)).toEqual([BEATS_PAGE]);
    expect(asked[0]?.[0]).toBe("d10");
    await timers.pass(1_000);
    expect(asked).toHaveLength(1);
    expect(store.get("d10")).toBe("bar of d10");
    expect(store.get("d3")).toBeUndefined();
  });

  it("[fleet] notify their row, and are requested again when they are old", async () => {
    const { store, timers, asked } = setUp();
    let calls = 0;
    const stop = store.subscribe("d1", () => {
      calls += 1;
    });
    store.subscribe("unknown", () => undefined);
    await timers.pass(150);
    expect([calls, asked.length]).toEqual([1, 1]);
    await timers.pass(BEATS_FRESH_MS + 1_000);
    expect(asked[1]).toEqual(["d1", "unknown"]);
    stop();
    expect(calls).toBe(1);
  });

  it("[fleet] are requested again after a failure and a pause", async () => {
    const { store, timers, asked, breakDown } = setUp();
    breakDown(true);
    store.subscribe("d1", () => undefined);
    await timers.pass(150);
    expect(asked).toHaveLength(1);
    breakDown(false);
    await timers.pass(14_000);
    expect(asked).toHaveLength(1);
    await timers.pass(2_000);
    expect(store.get("d1")).toBe("bar of d1");
  });
});
