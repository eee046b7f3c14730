import type { Timers } from "../rules/clock.ts";
import type { FakeClock } from "./fake-clock.ts";

/** Timers that fire when the test advances the time. */
export interface FakeTimers extends Timers {
  /** Advance the time to the next timer, if any, and run it. */
  fireNext(): void;
  /** Advance the time and run due timers in order, without settling promises. */
  advance(ms: number): void;
  /** Advance the time and run due timers in order; promises settle before, between and after. */
  pass(ms: number): Promise<void>;
  /** Cancel every timer, as when the process is killed. */
  clear(): void;
  /** Number of timers that are set. */
  readonly pending: number;
  /** ms until the next timer; null if none is set. */
  readonly nextInMs: number | null;
}

export function createFakeTimers(clock: FakeClock): FakeTimers {
  const set = new Set<{ at: number; run: () => void }>();
  const next = () => {
    let first: { at: number; run: () => void } | null = null;
    for (const timer of set) if (first === null || timer.at < first.at) first = timer;
    return first;
  };
  const timers: FakeTimers = {
    after(ms, run) {
      const timer = { at: clock.monotonic() + ms, run };
      set.add(timer);
      return {
        cancel() {
          set.delete(timer);
        },
      };
    },
    fireNext() {
      const timer = next();
      if (timer === null) return;
      set.delete(timer);
      clock.advance(Math.max(0, timer.at - clock.monotonic()));
      timer.run();
    },
    advance(ms) {
      const end = clock.monotonic() + ms;
      for (let timer = next(); timer !== null && timer.at <= end; timer = next()) timers.fireNext();
      clock.advance(end - clock.monotonic());
    },
    pass: (ms) => passTime(clock, [timers], ms),
    clear: () => set.clear(),
    get pending() {
      return set.size;
    },
    get nextInMs() {
      const first = next();
      return first && Math.max(0, first.at - clock.monotonic());
    },
  };
  return timers;
}

/** Settle promises that wait only for other promises. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Advance the time timer by timer, and settle after each.
 *
 * @param all timers of several processes on one clock
 */
export async function passTime(clock: FakeClock, all: readonly FakeTimers[], ms: number): Promise<void> {
  const end = clock.monotonic() + ms;
  const dueIn = (timers: FakeTimers) => timers.nextInMs ?? Number.POSITIVE_INFINITY;
  await settle();
  for (;;) {
    const [first] = all.toSorted((a, b) => dueIn(a) - dueIn(b));
    if (first === undefined || clock.monotonic() + dueIn(first) > end) break;
    first.fireNext();
    await settle();
  }
  clock.advance(Math.max(0, end - clock.monotonic()));
  await settle();
}
