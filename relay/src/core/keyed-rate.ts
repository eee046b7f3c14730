import { createMessageRate, type MessageRate } from "./message-rate.ts";

/** The same rate for many callers, each by its key. */
export interface KeyedRate {
  /** One more call of `key` at `now` (monotonic ms). @returns false if it is one too many in its window */
  admit(key: string, now: number): boolean;
}

/** @param atMost keys that are counted at the same time; the oldest counts give way */
export function createKeyedRate(limit: number, windowMs: number, atMost: number): KeyedRate {
  const rates = new Map<string, MessageRate>();
  return {
    admit(key, now) {
      const rate = rates.get(key) ?? createMessageRate(limit, windowMs);
      rates.delete(key);
      rates.set(key, rate);
      const oldest = rates.keys().next().value;
      if (rates.size > atMost && oldest !== undefined) rates.delete(oldest);
      return rate.admit(now);
    },
  };
}
