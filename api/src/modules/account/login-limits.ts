import type { Clock } from "@mulkko/shared/rules/clock";
import { createCounter } from "./counter.ts";

const WINDOW_MS = 10 * 60_000;
const ATTEMPTS_PER_ADDRESS = 300;
const FAILURES_PER_ADDRESS = 60;
const FAILURES_PER_ADDRESS_AND_NAME = 10;
/** The first failures of a name cost nothing; from then on each doubles the wait. */
const FREE_FAILURES = 3;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;

/** How often somebody may try to sign in. A name alone is never locked: it only gets slower. */
export interface LoginLimits {
  /** @returns seconds after which to try again, or null where the attempt is allowed; counts the attempt */
  refuses(address: string, username: string): number | null;
  /** How long to hold back the answer for this name, ms. */
  delayMs(username: string): number;
  failed(address: string, username: string): void;
  succeeded(address: string, username: string): void;
}

export function createLoginLimits(clock: Clock): LoginLimits {
  const attempts = createCounter(clock, WINDOW_MS);
  const byAddress = createCounter(clock, WINDOW_MS);
  const byPair = createCounter(clock, WINDOW_MS);
  const byName = createCounter(clock, WINDOW_MS);
  // Names differ by more than the case of their letters, or are the same.
  const nameOf = (username: string): string => username.toLowerCase();
  const pairOf = (address: string, username: string): string => `${address} ${nameOf(username)}`;

  return {
    refuses(address, username) {
      attempts.add(address);
      const limits = [
        [attempts.get(address), ATTEMPTS_PER_ADDRESS],
        [byAddress.get(address), FAILURES_PER_ADDRESS - 1],
        [byPair.get(pairOf(address, username)), FAILURES_PER_ADDRESS_AND_NAME - 1],
      ] as const;
      const over = limits.filter(([entry, limit]) => entry.count > limit);
      if (over.length === 0) return null;
      return Math.max(1, Math.ceil(Math.max(...over.map(([entry]) => entry.restMs)) / 1000));
    },
    delayMs(username) {
      const { count } = byName.get(nameOf(username));
      if (count < FREE_FAILURES) return 0;
      return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (count - FREE_FAILURES));
    },
    failed(address, username) {
      byAddress.add(address);
      byPair.add(pairOf(address, username));
      byName.add(nameOf(username));
    },
    succeeded(address, username) {
      byPair.forget(pairOf(address, username));
      byName.forget(nameOf(username));
    },
  };
}
