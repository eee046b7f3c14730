/** Interval between two checks, ms. */
const EVERY_MS = 1_000;
/** A broker that forwarded nothing for this long is stalled, ms. */
export const STALLED_MS = 5_000;

/** Send a message through the broker at intervals to check that it still forwards messages. */
export interface HealthCheck {
  isAlive(): boolean;
  stop(): void;
}

/**
 * @param send publishes a message and calls back when a subscription has received it
 * @param now ms on a monotonic clock
 */
export function startHealthCheck(
  send: (arrived: () => void) => void,
  now: () => number,
  every: (ms: number, run: () => void) => () => void = everyMs,
): HealthCheck {
  let arrivedAt = now();
  const stop = every(EVERY_MS, () => {
    send(() => {
      arrivedAt = now();
    });
  });
  return { isAlive: () => now() - arrivedAt < STALLED_MS, stop };
}

function everyMs(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms);
  timer.unref();
  return () => clearInterval(timer);
}
