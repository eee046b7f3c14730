import type { Timer, Timers } from "../rules/clock.ts";

/** Longest delay that `setTimeout` supports, ms; longer delays are waited for in steps. */
const LONGEST_MS = 2_147_483_647;

/** Node's timers, which run on the monotonic clock. They do not keep the process alive. */
export const nodeTimers: Timers = {
  after(ms, run) {
    let handle: NodeJS.Timeout;
    const wait = (left: number): void => {
      const piece = Math.min(left, LONGEST_MS);
      handle = setTimeout(() => (left > piece ? wait(left - piece) : run()), piece);
      handle.unref();
    };
    wait(Math.max(0, ms));
    return { cancel: () => clearTimeout(handle) };
  },
};

/**
 * Run something at an interval.
 *
 * @param firstMs delay of the first run; by default the interval
 */
export function repeat(timers: Timers, everyMs: number, run: () => void, firstMs = everyMs): Timer {
  const again = (): void => {
    timer = timers.after(everyMs, again);
    run();
  };
  let timer = timers.after(firstMs, again);
  return { cancel: () => timer.cancel() };
}
