import type { Clock } from "@mulkko/shared/rules/clock";

/** Tells the relay that somebody looks, as often as it asks for it (POLL-1). */
export interface Activity {
  /** A session begins, which counts as activity; `everyMs` as its `welcome` says, undefined where the relay does not ask. */
  begin(everyMs: number | undefined): void;
  /** Says it when it is due. A page that nobody sees is silent, and its farm is polled at the slow pace after a while. */
  look(): void;
}

export interface ActivityDeps {
  readonly clock: Clock;
  /** Somebody can see the page. */
  readonly isLookedAt: () => boolean;
  readonly say: () => void;
}

export const createActivity = ({ clock, isLookedAt, say }: ActivityDeps): Activity => {
  let everyMs: number | null = null;
  let saidAt = 0;
  return {
    begin(every) {
      everyMs = every ?? null;
      saidAt = clock.monotonic();
    },
    look() {
      if (everyMs === null || !isLookedAt() || clock.monotonic() - saidAt < everyMs) return;
      saidAt = clock.monotonic();
      say();
    },
  };
};
