import type { Clock } from "@mulkko/shared/rules/clock";

/** Most keys remembered. */
const MAX_ENTRIES = 20_000;

interface Count {
  count: number;
  since: number;
}

/** Events per key within a window of time; the oldest keys are forgotten first. */
export interface Counter {
  get(key: string): { readonly count: number; readonly restMs: number };
  add(key: string): void;
  forget(key: string): void;
  /** Counts an event unless there were `limit` already. @returns null, or seconds after which to try again */
  refuses(key: string, limit: number): number | null;
}

export function createCounter(clock: Clock, windowMs: number): Counter {
  const counts = new Map<string, Count>();

  const counter: Counter = {
    get(key) {
      const found = counts.get(key);
      const restMs = found ? found.since + windowMs - clock.monotonic() : 0;
      return found && restMs > 0 ? { count: found.count, restMs } : { count: 0, restMs: 0 };
    },
    add(key) {
      const { count } = counter.get(key);
      const since = count > 0 ? counts.get(key)?.since : undefined;
      if (count === 0) counts.delete(key);
      if (count === 0 && counts.size >= MAX_ENTRIES) {
        const [oldest] = counts.keys();
        if (oldest !== undefined) counts.delete(oldest);
      }
      counts.set(key, { count: count + 1, since: since ?? clock.monotonic() });
    },
    forget(key) {
      counts.delete(key);
    },
    refuses(key, limit) {
      const { count, restMs } = counter.get(key);
      if (count >= limit) return Math.max(1, Math.ceil(restMs / 1000));
      counter.add(key);
      return null;
    },
  };
  return counter;
}
