import type { Clock } from "../rules/clock.ts";

/** A clock that stands still until a test advances it. */
export interface FakeClock extends Clock {
  /** Advance both clocks. */
  advance(ms: number): void;
  /** Move only the wall clock, as when a user sets it. */
  jump(ms: number): void;
}

/** @param start ms since 1970 UTC */
export function createFakeClock(start = Date.UTC(2026, 10, 21, 3, 0, 0)): FakeClock {
  let wall = start;
  let steady = 1_000;
  return {
    now: () => wall,
    monotonic: () => steady,
    advance(ms) {
      wall += ms;
      steady += ms;
    },
    jump(ms) {
      wall += ms;
    },
  };
}
