import type { Clock } from "@mulkko/shared/rules/clock";

/**
 * Smallest difference to the monotonic clock that counts as a set clock. A smaller one is drift, which is
 * followed.
 */
const JUMP_MS = 2_000;

/** Store time, and its jump since the last check. RUN-4: a jump moves no run's end. */
export interface StoreTime {
  now(): number;
  /** Return the ms by which store time jumped since the last call, usually 0. */
  takeJump(): number;
}

export function createStoreTime(store: { now(): number }, clock: Clock): StoreTime {
  let offset = store.now() - clock.monotonic();
  return {
    now: () => store.now(),
    takeJump() {
      const jump = store.now() - clock.monotonic() - offset;
      if (Math.abs(jump) < JUMP_MS) return 0;
      offset += jump;
      return jump;
    },
  };
}
