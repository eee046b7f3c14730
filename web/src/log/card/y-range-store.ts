import { parseJson } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import type { YRange } from "../../ui/chart/chart-model.ts";

/** Where the ranges stand between two visits. */
export const Y_RANGE_KEY = "mulkko.yRanges";

/** Ranges that are remembered; beyond it the one that was set first goes. */
export const REMEMBERED_RANGES = 50;

const Ranges = Type.Array(Type.Object({ line: Type.String(), min: Type.Number(), max: Type.Number() }), {
  maxItems: REMEMBERED_RANGES,
});

/** Names what a range is set for: a field of a type of device, whichever device it is. */
export function rangeName(deviceType: string, field: string): string {
  return `${deviceType} ${field}`;
}

/** The y ranges that people of this browser have set. */
export interface YRangeStore {
  get(name: string): YRange | null;
  /** null is the automatic range. */
  set(name: string, range: YRange | null): void;
  /** Called after each change. @returns stops */
  subscribe(listener: () => void): () => void;
  /** A number that is another one after each change. */
  version(): number;
}

export function createYRangeStore(storage: Pick<Storage, "getItem" | "setItem">): YRangeStore {
  const stored = parseJson(Ranges, storage.getItem(Y_RANGE_KEY) ?? "[]");
  // What somebody else wrote there is as good as nothing.
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
