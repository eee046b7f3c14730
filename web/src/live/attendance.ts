import type { Clock } from "@mulkko/shared/rules/clock";

/** When the relay is to hear that somebody looks at the page (POLL-1). */
export interface Attendance {
  /** A connection begins, which counts as a look. @param everyMs left out by a relay that does not ask */
  begin(everyMs: number | undefined): void;
  /** True if it is to be said now; said once, it is due again after the relay's interval. */
  isDue(): boolean;
}

/** A page that nobody sees says nothing, and its farm is polled at the slow pace after a while. */
export function createAttendance(clock: Clock, isLookedAt: () => boolean): Attendance {
  let everyMs: number | undefined;
  let saidAt = 0;
  return {
    begin(asked) {
      everyMs = asked;
      saidAt = clock.monotonic();
    },
    isDue() {
      const now = clock.monotonic();
      if (everyMs === undefined || now - saidAt < everyMs || !isLookedAt()) return false;
      saidAt = now;
      return true;
    },
  };
}
