import type { Clock } from "@mulkko/shared/rules/clock";

/**
 * A circuit breaker per credential (POLL-3). A credential that the API refuses several times in a row rests;
 * then a single attempt shows if it is accepted again.
 */
export interface Refusals {
  /**
   * True if the credential must not be used now; the first caller after its rest makes the single attempt.
   */
  resting(credential: string): boolean;
  refused(credential: string): void;
  accepted(credential: string): void;
}

/** Consecutive refusals after which a credential rests; fewer may concern a single unit. */
const IN_A_ROW = 3;
const REST_FIRST_MS = 30_000;
const REST_LAST_MS = 600_000;
/** Time limit of an attempt, ms; after it another is made. */
const TRY_MS = 30_000;
/** Upper bound of remembered credentials; the oldest is evicted. */
const REMEMBERED_AT_MOST = 32;

interface Refused {
  inARow: number;
  rest: number;
  until: number;
}

export function createRefusals(clock: Clock): Refusals {
  const refused = new Map<string, Refused>();
  return {
    resting(credential) {
      const entry = refused.get(credential);
      if (entry === undefined || entry.inARow < IN_A_ROW) return false;
      if (clock.monotonic() < entry.until) return true;
      entry.until = clock.monotonic() + TRY_MS;
      return false;
    },
    refused(credential) {
      const entry = refused.get(credential) ?? { inARow: 0, rest: REST_FIRST_MS, until: 0 };
      refused.delete(credential);
      refused.set(credential, entry);
      entry.inARow += 1;
      if (entry.inARow >= IN_A_ROW) {
        entry.until = clock.monotonic() + entry.rest;
        entry.rest = Math.min(REST_LAST_MS, entry.rest * 2);
      }
      const oldest = refused.keys().next().value;
      if (refused.size > REMEMBERED_AT_MOST && oldest !== undefined) refused.delete(oldest);
    },
    accepted: (credential) => void refused.delete(credential),
  };
}
