import type { Clock, Timers } from "@mulkko/shared/rules/clock";

/**
 * Smallest difference to the monotonic clock that counts as a set clock. A smaller one is drift, which is
 * followed.
 */
const JUMP_MS = 2_000;

/** Store time and timers of an account's valves. RUN-4: a jump of the clock moves no run's end. */
export interface StoreTime extends Timers {
  /** ms UTC */
  now(): number;
  /** This process's monotonic time, ms. */
  monotonic(): number;
  /** Call the listener if store time has jumped since the last call. */
  noticeJump(): void;
  /** Set the listener; it receives the length of a jump, ms. */
  onJump(listener: (ms: number) => void): void;
}

export function createStoreTime(store: { now(): number }, clock: Clock, timers: Timers): StoreTime {
  let offset = store.now() - clock.monotonic();
  let listener: (ms: number) => void = () => undefined;
  return {
    now: () => store.now(),
    monotonic: clock.monotonic,
    after: timers.after,
    noticeJump() {
      const jump = store.now() - clock.monotonic() - offset;
      if (Math.abs(jump) < JUMP_MS) return;
      offset += jump;
      listener(jump);
    },
    onJump(called) {
      listener = called;
    },
  };
}
