import type { Clock } from "@mulkko/shared/rules/clock";

/** Values with an end, of which all together stay under a number of bytes. */
export interface ByteCache<V> {
  get(key: string): V | undefined;
  /** A value larger than the whole cache is not kept. */
  set(key: string, value: V, bytes: number, forMs: number): void;
  delete(key: string): void;
  readonly bytes: number;
}

/** Beyond `limitBytes` the values that were not used for longest go. */
export function createByteCache<V>(clock: Clock, limitBytes: number): ByteCache<V> {
  // A map keeps the order of insertion: what is used is put in again, at its end.
  const kept = new Map<string, { value: V; bytes: number; until: number }>();
  let bytes = 0;
  const drop = (key: string): void => {
    bytes -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  };
  return {
    get(key) {
      const found = kept.get(key);
      if (found === undefined) return undefined;
      if (found.until <= clock.monotonic()) {
        drop(key);
        return undefined;
      }
      kept.delete(key);
      kept.set(key, found);
      return found.value;
    },
    set(key, value, size, forMs) {
      drop(key);
      if (size > limitBytes) return;
      kept.set(key, { value, bytes: size, until: clock.monotonic() + forMs });
      bytes += size;
      for (const oldest of kept.keys()) {
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
