import type { Clock } from "@mulkko/shared/rules/clock";
import { LRUCache } from "lru-cache";

/** Caches values with an expiry, within a total number of bytes. */
export interface ByteCache<V extends object> {
  get(key: string): V | undefined;
  /** A value larger than the whole cache is not stored. */
  set(key: string, value: V, bytes: number, forMs: number): void;
  delete(key: string): void;
  readonly bytes: number;
}

/** Create a cache that evicts the least recently used values beyond `limitBytes`. */
export function createByteCache<V extends object>(clock: Clock, limitBytes: number): ByteCache<V> {
  const cache = new LRUCache<string, V>({
    maxSize: limitBytes,
    ttlResolution: 0,
    perf: { now: () => clock.monotonic() },
  });
  return {
    get: (key) => cache.get(key),
    set: (key, value, bytes, forMs) => void cache.set(key, value, { size: Math.max(1, bytes), ttl: forMs }),
    delete: (key) => void cache.delete(key),
    get bytes() {
      return cache.calculatedSize;
    },
  };
}
