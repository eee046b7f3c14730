import type { Clock } from "./clock.ts";

/** Most remembered keys, unless stated otherwise. */
const MAX_KEYS = 20_000;

interface Count {
  count: number;
  /** Start of the key's window, monotonic ms. */
  since: number;
}

/** Counts events per key in windows of fixed length. A key's window begins with its first event. */
export interface RateLimit {
  /** Count an event unless the limit is reached. @returns null, or whole seconds after which to retry */
  refuses(key: string, limit: number): number | null;
  /** Return the events of the key's window, and the ms until it ends. */
  get(key: string): { readonly count: number; readonly restMs: number };
  add(key: string): void;
  /** Uncount one event. */
  takeBack(key: string): void;
  /** Uncount all events of the key. */
  forget(key: string): void;
}

/**
 * Create the count of one kind of event.
 *
 * @param windowMs length of a window, ms
 * @param maxKeys upper bound of counted keys; the keys with the oldest windows are forgotten first
 */
export function createRateLimit(
  clock: Pick<Clock, "monotonic">,
  windowMs: number,
  maxKeys = MAX_KEYS,
): RateLimit {
  const counts = new Map<string, Count>();

  const get = (key: string): { count: number; restMs: number } => {
    const found = counts.get(key);
    const restMs = found ? found.since + windowMs - clock.monotonic() : 0;
    return found && restMs > 0 ? { count: found.count, restMs } : { count: 0, restMs: 0 };
  };
  const add = (key: string): void => {
    const found = counts.get(key);
    if (found && get(key).restMs > 0) {
      found.count += 1;
      return;
    }
    counts.delete(key);
    const [oldest] = counts.keys();
    if (counts.size >= maxKeys && oldest !== undefined) counts.delete(oldest);
    counts.set(key, { count: 1, since: clock.monotonic() });
  };
  return {
    get,
    add,
    refuses(key, limit) {
      const { count, restMs } = get(key);
      if (count >= limit) return Math.max(1, Math.ceil(restMs / 1000));
      add(key);
      return null;
    },
    takeBack(key) {
      const found = counts.get(key);
      if (found && found.count > 0) found.count -= 1;
    },
    forget(key) {
      counts.delete(key);
    },
  };
}
