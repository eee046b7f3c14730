import type { FakeClock } from "@mulkko/shared/testing/fake-clock";
import type { Timers } from "../runtime/timers.ts";

/** Timers that fire when the test advances the time. */
export interface FakeTimers extends Timers {
  /** Advance the time, and stop at each timer on the way. */
  advance(ms: number): void;
  /** Number of timers that are set. */
  readonly pending: number;
  /** ms until the next timer; null if none is set. */
  readonly nextInMs: number | null;
}

export function createFakeTimers(clock: FakeClock): FakeTimers {
  const set = new Set<{ at: number; run: () => void }>();
  const nextBefore = (end: number) =>
    [...set].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
  return {
    after(ms, run) {
      const timer = { at: clock.monotonic() + ms, run };
      set.add(timer);
      return {
        cancel() {
          set.delete(timer);
        },
      };
    },
    advance(ms) {
      const end = clock.monotonic() + ms;
      for (let timer = nextBefore(end); timer; timer = nextBefore(end)) {
        set.delete(timer);
        clock.advance(Math.max(0, timer.at - clock.monotonic()));
        timer.run();
      }
      clock.advance(end - clock.monotonic());
    },
    get pending() {
      return set.size;
    },
    get nextInMs() {
      const next = nextBefore(Number.POSITIVE_INFINITY);
      return next ? Math.max(0, next.at - clock.monotonic()) : null;
    },
  };
}
