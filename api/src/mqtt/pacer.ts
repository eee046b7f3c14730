import type { Pace } from "./limits.ts";

/** Let callers pass in order of arrival, no faster than the pace. */
export interface Pacer {
  /** Return null to pass now; otherwise a promise that resolves at the caller's turn. */
  pass(): Promise<void> | null;
}

const SECOND_MS = 1_000;

function afterMs(ms: number, run: () => void): void {
  setTimeout(run, ms).unref();
}

/**
 * @param now ms on a monotonic clock
 * @param after runs a callback after a delay
 */
export function createPacer(
  { perSecond, burst }: Pace,
  now: () => number,
  after: (ms: number, run: () => void) => void = afterMs,
): Pacer {
  let left = burst;
  let countedAt = now();
  let waiting: (() => void)[] = [];

  const refill = (): void => {
    const at = now();
    left = Math.min(burst, left + ((at - countedAt) * perSecond) / SECOND_MS);
    countedAt = at;
  };
  const release = (): void => {
    refill();
    const count = Math.min(waiting.length, Math.floor(left));
    left -= count;
    const free = waiting.slice(0, count);
    waiting = waiting.slice(count);
    if (waiting.length > 0) schedule();
    for (const pass of free) pass();
  };
  const schedule = (): void => after(Math.max(10, ((1 - left) * SECOND_MS) / perSecond), release);

  return {
    pass() {
      refill();
      if (waiting.length === 0 && left >= 1) {
        left -= 1;
        return null;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      if (waiting.length === 1) schedule();
      return promise;
    },
  };
}
