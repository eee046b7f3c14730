import type { Clock } from "@mulkko/shared/rules/clock";

/** Maximum offset of this machine's clock without a notice, ms (ONL-3). */
export const CLOCK_OFF_MS = 30_000;

/** A message can be late but never early: a sample this far behind means that the clock was set, ms. */
const SET_BACK_MS = 2_000;

/** Two clocks synchronized by a time server drift by at most 500 ppm each. */
const DRIFT = 0.001;

export type ServerClock = ReturnType<typeof createServerClock>;

/** Create the relay's clock, continued by this machine's monotonic one. */
export function createServerClock(clock: Clock) {
  /** Server time at monotonic zero, ms, by the sample with the shortest travel time. */
  let zero: number | null = null;
  /** Monotonic time of that sample, ms. */
  let zeroAt = 0;
  const now = () => (zero === null ? clock.now() : zero + clock.monotonic());
  return {
    /** Return ms since 1970 UTC on the server's clock; this machine's own before the server's first message. */
    now,
    /**
     * Return the maximum lead of `now` over the server's clock, ms; null before the server's first message.
     * `now` lags by the travel time of the fastest message, and leads only by the clocks' drift since then.
     */
    mayBeAhead: () =>
      zero === null ? null : Math.min(SET_BACK_MS, Math.ceil((clock.monotonic() - zeroAt) * DRIFT)),
    /** Return the lead of this machine's clock over the server's, ms; 0 before the server's first message. */
    localOffset: () => (zero === null ? 0 : clock.now() - now()),
    /** Record a `serverTime`. A new connection starts afresh: a sleeping machine stops its monotonic clock. */
    sample(serverTime: string, fresh: boolean) {
      const sent = Date.parse(serverTime);
      if (Number.isNaN(sent)) return;
      const candidate = sent - clock.monotonic();
      if (fresh || zero === null || candidate > zero || zero - candidate > SET_BACK_MS) {
        zero = candidate;
        zeroAt = clock.monotonic();
      }
    },
  };
}
