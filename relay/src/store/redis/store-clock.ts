import type { Clock } from "@mulkko/shared/rules/clock";

/** Store time: that of Redis, continued by this machine's monotonic clock between two measurements. */
export interface StoreClock extends Clock {
  /**
   * Apply an answer that arrives now. Known time stays unless the answer contradicts it: a slower network is
   * no jump of time.
   * @param time of Redis, ms UTC
   * @param askedAt monotonic ms of the request
   */
  measured(time: number, askedAt: number): void;
}

/**
 * Create the clock. Before the first measurement it shows the machine's own time.
 * @param serverTime converts the time of Redis; tests change the time here
 */
export function createStoreClock(clock: Clock, serverTime = (time: number): number => time): StoreClock {
  let offset: number | undefined;
  return {
    monotonic: () => clock.monotonic(),
    now: () => (offset === undefined ? clock.now() : Math.round(clock.monotonic() + offset)),
    measured(redisTime, askedAt) {
      const time = serverTime(redisTime);
      const least = time - clock.monotonic();
      const most = time - askedAt;
      if (offset === undefined || offset < least || offset > most) offset = (least + most) / 2;
    },
  };
}
