import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers, type FakeTimers } from "@mulkko/shared/testing/fake-timers";
import { beforeEach, describe, expect, it } from "vitest";
import { createTurner, HOLD_MS, type Turner } from "./rotation.ts";

const PLAN = { pages: ["overview", "valves"], turnMs: 20_000, pinned: null } as const;

describe("page turner", () => {
  let timers: FakeTimers;
  let asked: number;
  let turner: Turner;
  beforeEach(() => {
    const clock = createFakeClock();
    timers = createFakeTimers(clock);
    asked = 0;
    const turns = () => {
      asked += 1;
    };
    turner = createTurner(clock, timers, PLAN, turns);
  });
  const page = () => turner.store.getState().page;

  it("[wall] turns by itself until it is stopped", async () => {
    const stop = turner.start();
    await timers.pass(20_500);
    expect(page()).toBe("valves");
    await timers.pass(20_500);
    expect(turner.store.getState()).toEqual({ page: "overview", lap: 1, stays: null });
    stop();
    await timers.pass(60_000);
    expect(page()).toBe("overview");
  });

  it("[wall] reports why it stays: touched, or pinned by the most urgent alarm", async () => {
    turner.start();
    turner.noteTouch();
    expect(turner.store.getState().stays).toBe("held");
    await timers.pass(HOLD_MS + 1_000);
    expect(turner.store.getState()).toMatchObject({ page: "valves", stays: null });
    turner.replan({ ...PLAN, pinned: "overview" });
    await timers.pass(300_000);
    expect(turner.store.getState()).toMatchObject({ page: "overview", stays: "pinned" });
    turner.replan(PLAN);
    expect(turner.store.getState()).toMatchObject({ page: "valves", stays: null });
  });

  it("[HS-4] checks for a newer client at each turn without skipping it, and never while a page is pinned", async () => {
    turner.replan({ ...PLAN, pinned: "overview" });
    turner.start();
    await timers.pass(120_000);
    expect(asked).toBe(0);
    turner.replan(PLAN);
    await timers.pass(21_000);
    expect(asked).toBe(1);
    expect(page()).toBe("valves");
  });

  it("[wall] shows the next page after a key press and holds it", async () => {
    turner.start();
    turner.turn(1);
    expect(turner.store.getState()).toMatchObject({ page: "valves", stays: "held" });
    turner.turn(-1);
    expect(page()).toBe("overview");
  });
});
