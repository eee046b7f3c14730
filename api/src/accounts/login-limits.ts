import type { Clock } from "@mulkko/shared/rules/clock";
import { createRateLimit } from "@mulkko/shared/rules/rate-limit";

const WINDOW_MS = 10 * 60_000;
const ATTEMPTS_PER_ADDRESS = 300;
const FAILURES_PER_ADDRESS = 60;
const FAILURES_PER_ADDRESS_AND_NAME = 10;
/** Failures of a name without delay; from then on each doubles it. */
const FREE_FAILURES = 3;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;

/** An allowed attempt. It counts as a failure from its start, so that simultaneous attempts count too. */
export interface LoginAttempt {
  /** Delay before the attempt, ms. */
  readonly delayMs: number;
  /** The password was right: clear the failures of this name. */
  succeeded(): void;
  /** The password was not checked: do not count the attempt. */
  withdrawn(): void;
}

/** Limit sign-in attempts. A name is never locked, only delayed. */
export interface LoginLimits {
  /** @returns the attempt, or seconds after which to retry */
  begin(address: string, username: string): LoginAttempt | { readonly retryAfter: number };
}

export function createLoginLimits(clock: Clock): LoginLimits {
  const attempts = createRateLimit(clock, WINDOW_MS);
  const byAddress = createRateLimit(clock, WINDOW_MS);
  const byPair = createRateLimit(clock, WINDOW_MS);
  const byName = createRateLimit(clock, WINDOW_MS);
  const delayOf = (failures: number): number =>
    failures < FREE_FAILURES
      ? 0
      : Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - FREE_FAILURES));

  return {
    begin(address, username) {
      // Names are compared without case.
      const name = username.toLowerCase();
      const pair = `${address} ${name}`;
      attempts.add(address);
      const limits = [
        [attempts.get(address), ATTEMPTS_PER_ADDRESS],
        [byAddress.get(address), FAILURES_PER_ADDRESS - 1],
        [byPair.get(pair), FAILURES_PER_ADDRESS_AND_NAME - 1],
      ] as const;
      const over = limits.filter(([entry, limit]) => entry.count > limit);
      if (over.length > 0) {
        return {
          retryAfter: Math.max(1, Math.ceil(Math.max(...over.map(([entry]) => entry.restMs)) / 1000)),
        };
      }
      const delayMs = delayOf(byName.get(name).count);
      byAddress.add(address);
      byPair.add(pair);
      byName.add(name);
      return {
        delayMs,
        succeeded() {
          byAddress.takeBack(address);
          byPair.forget(pair);
          byName.forget(name);
        },
        withdrawn() {
          byAddress.takeBack(address);
          byPair.takeBack(pair);
          byName.takeBack(name);
        },
      };
    },
  };
}
