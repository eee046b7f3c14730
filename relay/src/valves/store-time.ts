import type { Clock } from "@mulkko/shared/rules/clock";

/** A wall clock that moved by so much against the monotonic one was set by somebody; less is drift, kept up with. */
const JUMP_MS = 2_000;

/** Store time, and how far it jumped since it was last looked at (RUN-4: a jump moves no run's end). */
export interface StoreTime {
  now(): number;
  /** ms by which store time jumped since the last call; 0 ordinarily. */
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
