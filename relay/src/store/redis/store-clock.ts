import type { Clock } from "@mulkko/shared/rules/clock";

/** Store time: that of Redis, continued by this machine's monotonic clock between two measurements. */
export interface StoreClock {
  /** Return ms UTC. Before the first measurement this is the machine's own time. */
  now(): number;
  /**
   * Apply an answer that arrives now. Known time stays unless the answer contradicts it: a slower network is
   * no jump of time.
   * @param time of Redis, ms UTC
   * @param askedAt monotonic ms of the request
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
