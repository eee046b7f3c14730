import type { Clock } from "@mulkko/shared/rules/clock";

/** Caches values with an expiry, within a total number of bytes. */
export interface ByteCache<V> {
  get(key: string): V | undefined;
  /** A value larger than the whole cache is not stored. */
  set(key: string, value: V, bytes: number, forMs: number): void;
  delete(key: string): void;
  readonly bytes: number;
}

/** Create a cache that evicts the least recently used values beyond `limitBytes`. */
export function createByteCache<V>(clock: Clock, limitBytes: number): ByteCache<V> {
  // A map keeps the order of insertion: a used entry is inserted again, at its end.
  const entries = new Map<string, { value: V; bytes: number; until: number }>();
  let bytes = 0;
  const drop = (key: string): void => {
    bytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  return {
    get(key) {
      const found = entries.get(key);
      if (found === undefined) return undefined;
      if (found.until <= clock.monotonic()) {
        drop(key);
        return undefined;
      }
      entries.delete(key);
      entries.set(key, found);
      return found.value;
    },
    set(key, value, size, forMs) {
      drop(key);
      if (size > limitBytes) return;
      entries.set(key, { value, bytes: size, until: clock.monotonic() + forMs });
      bytes += size;
      for (const oldest of entries.keys()) {
        if (bytes <= limitBytes) break;
        drop(oldest);
      }
    },
    delete: drop,
    get bytes() {
      return bytes;
    },
  };
}
