import type { Clock } from "@mulkko/shared/rules/clock";

/** Store time: that of Redis, carried on by this machine's monotonic clock between two measurements. */
export interface StoreClock {
  /** ms UTC. Before the first measurement this machine's own time. */
  now(): number;
  /**
   * The answer is there now. What is known already stays unless the answer contradicts it: a longer way to Redis
   * is no jump of time.
   *
   * @param time of Redis, ms UTC
   * @param askedAt monotonic ms at which it was asked for
   */
  measured(time: number, askedAt: number): void;
}

export function createStoreClock(clock: Clock): StoreClock {
  let offset: number | undefined;
  return {
    now: () => (offset === undefined ? clock.now() : Math.round(clock.monotonic() + offset)),
    measured(time, askedAt) {
      const least = time - clock.monotonic();
      const most = time - askedAt;
      if (offset === undefined || offset < least || offset > most) offset = (least + most) / 2;
    },
  };
}
