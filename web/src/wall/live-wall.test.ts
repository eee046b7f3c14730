import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { describe, expect, it } from "vitest";
import { createSlowFrames } from "./live-wall.ts";

describe("frames of a wall", () => {
  it("[wall] renders values at most twice a second, the first at once, and loses none", async () => {
    const clock = createFakeClock();
    const timers = createFakeTimers(clock);
    const begin = clock.monotonic();
    const flushed: number[] = [];
    const next = createSlowFrames(clock, timers, (flush) => flush());
    for (let ms = 0; ms < 2_000; ms += 100) {
      next(() => flushed.push(clock.monotonic() - begin));
      await timers.pass(500);
    }
    expect(flushed).toHaveLength(20);
    expect(flushed[0]).toBe(0);
    for (const [index, at] of flushed.slice(1).entries())
      expect(at - (flushed[index] ?? 0)).toBeGreaterThanOrEqual(500);
  });

  it("[wall] delays values in between to their half second", async () => {
    const clock = createFakeClock();
    const timers = createFakeTimers(clock);
    let flushes = 0;
    const next = createSlowFrames(clock, timers, (flush) => flush());
    const flush = () => {
      flushes += 1;
    };
    next(flush);
    await timers.pass(100);
    next(flush);
    await timers.pass(399);
    expect(flushes).toBe(1);
    await timers.pass(1);
    expect(flushes).toBe(2);
  });
});
