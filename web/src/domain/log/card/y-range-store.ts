import { parseJson } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import type { YRange } from "../../chart/chart-model.ts";

/** Storage key of the ranges. */
export const Y_RANGE_KEY = "mulkko.yRanges";

/** Maximum number of stored ranges; the oldest is dropped. */
export const REMEMBERED_RANGES = 50;

const Ranges = Type.Array(Type.Object({ line: Type.String(), min: Type.Number(), max: Type.Number() }), {
  maxItems: REMEMBERED_RANGES,
});

/** Return the key of a range: device type and field, for every device of the type. */
export function rangeName(deviceType: string, field: string): string {
  return `${deviceType} ${field}`;
}

/** Y ranges that users of this browser have set. */
export interface YRangeStore {
  get(name: string): YRange | null;
  /** Set a range; null is the automatic one. */
  set(name: string, range: YRange | null): void;
  /** Call the listener after each change. @returns a function that unsubscribes */
  subscribe(listener: () => void): () => void;
  /** Return a number that differs after each change. */
  version(): number;
}

export function createYRangeStore(storage: Pick<Storage, "getItem" | "setItem">): YRangeStore {
  const stored = parseJson(Ranges, storage.getItem(Y_RANGE_KEY) ?? "[]");
  // Stored data that does not match the schema is ignored.
  const ranges = new Map<string, YRange>(
    (stored.ok ? stored.value : []).map(({ line, min, max }) => [line, { min, max }]),
  );
  const listeners = new Set<() => void>();
  let changes = 0;
  return {
    get: (name) => ranges.get(name) ?? null,
    set(name, range) {
      ranges.delete(name);
      if (range) ranges.set(name, range);
      const oldest = ranges.keys().next().value;
      if (ranges.size > REMEMBERED_RANGES && oldest !== undefined) ranges.delete(oldest);
      changes += 1;
      storage.setItem(
        Y_RANGE_KEY,
        JSON.stringify([...ranges].map(([line, { min, max }]) => ({ line, min, max }))),
      );
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => changes,
  };
}
