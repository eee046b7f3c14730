import type { Clock } from "@mulkko/shared/rules/clock";

/** How far this machine's clock may be off before the screen says so, ms (ONL-3). */
export const CLOCK_OFF_MS = 30_000;

/** A message can only be late, never early: a sample that lies this far behind is a clock that was set, ms. */
const SET_BACK_MS = 2_000;

/** Two clocks that are kept by a time server each run at most 500 ppm off. */
const DRIFT = 0.001;

/** The relay's clock, carried on by this machine's monotonic one. */
export interface ServerClock {
  /** ms since 1970 UTC on the server's clock; this machine's own until the server has been heard. */
  now(): number;
  /**
   * How far `now` may be ahead of the server's clock, ms; null until the server has been heard. It lies behind by the
   * way of the fastest message, and is ahead only by as much as the two clocks have drifted apart since.
   */
  mayBeAhead(): number | null;
  /** How far this machine's clock is ahead of the server's, ms; 0 until the server has been heard. */
  localOffset(): number;
  /** Takes a `serverTime`. A new connection starts afresh, as a sleeping machine stops its monotonic clock. */
  sample(serverTime: string, fresh: boolean): void;
}

export function createServerClock(clock: Clock): ServerClock {
  /** Server time at monotonic zero, ms; of several samples the one that travelled fastest. */
  let zero: number | null = null;
  /** Monotonic ms of that sample. */
  let zeroAt = 0;
  const now = () => (zero === null ? clock.now() : zero + clock.monotonic());
  return {
    now,
    mayBeAhead: () =>
      zero === null ? null : Math.min(SET_BACK_MS, Math.ceil((clock.monotonic() - zeroAt) * DRIFT)),
    localOffset: () => (zero === null ? 0 : clock.now() - now()),
    sample(serverTime, fresh) {
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
