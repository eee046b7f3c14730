import type { Clock } from "@mulkko/shared/rules/clock";

/** Decide when to tell the relay that the user views the page (POLL-1). */
export interface ActivityPing {
  /** Start a connection, which counts as a view. @param everyMs undefined for a relay that does not ask */
  begin(everyMs: number | undefined): void;
  /** Return true if a ping is due now; the next one is due after the relay's interval. */
  isDue(): boolean;
}

/**
 * Create the activity ping. A hidden page sends none, and after a while its farm is polled at the slow rate.
 */
export function createActivityPing(clock: Clock, isLookedAt: () => boolean): ActivityPing {
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
