import type { Clock } from "@mulkko/shared/rules/clock";

const WINDOW_MS = 10 * 60_000;
const ATTEMPTS_PER_ADDRESS = 300;
const FAILURES_PER_ADDRESS = 60;
const FAILURES_PER_ADDRESS_AND_NAME = 10;
/** The first failures of a name cost nothing; from then on each doubles the wait. */
const FREE_FAILURES = 3;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;
/** Most names and addresses remembered. */
const MAX_ENTRIES = 20_000;

interface Count {
  count: number;
  since: number;
}

/** Events per key within a window; the oldest keys are forgotten first. */
class Counter {
  readonly #counts = new Map<string, Count>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(key: string): { count: number; restMs: number } {
    const found = this.#counts.get(key);
    const restMs = found ? found.since + WINDOW_MS - this.#clock.monotonic() : 0;
    return found && restMs > 0 ? { count: found.count, restMs } : { count: 0, restMs: 0 };
  }

  add(key: string): void {
    const { count } = this.get(key);
    const since = count > 0 ? this.#counts.get(key)?.since : undefined;
    if (count === 0 && this.#counts.size >= MAX_ENTRIES) {
      const [oldest] = this.#counts.keys();
      if (oldest !== undefined) this.#counts.delete(oldest);
    }
    if (count === 0) this.#counts.delete(key);
    this.#counts.set(key, { count: count + 1, since: since ?? this.#clock.monotonic() });
  }

  forget(key: string): void {
    this.#counts.delete(key);
  }
}

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
  const attempts = new Counter(clock);
  const byAddress = new Counter(clock);
  const byPair = new Counter(clock);
  const byName = new Counter(clock);
  const pairOf = (address: string, username: string): string => `${address} ${username}`;

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
      const { count } = byName.get(username);
      if (count < FREE_FAILURES) return 0;
      return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (count - FREE_FAILURES));
    },
    failed(address, username) {
      byAddress.add(address);
      byPair.add(pairOf(address, username));
      byName.add(username);
    },
    succeeded(address, username) {
      byPair.forget(pairOf(address, username));
      byName.forget(username);
    },
  };
}
