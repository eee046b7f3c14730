import { parseJson } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { createStore, useStore } from "zustand";
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

/** Create a store of the y ranges that users of this browser have set. `set` with null is the automatic one. */
export function createYRangeStore(storage: Pick<Storage, "getItem" | "setItem">) {
  const stored = parseJson(Ranges, storage.getItem(Y_RANGE_KEY) ?? "[]");
  // Stored data that does not match the schema is ignored.
  const kept = (stored.ok ? stored.value : []).map(({ line, min, max }) => [line, { min, max }] as const);
  const store = createStore<ReadonlyMap<string, YRange>>(() => new Map(kept));
  return {
    ...store,
    set(name: string, range: YRange | null) {
      const ranges = new Map(store.getState());
      ranges.delete(name);
      if (range) ranges.set(name, range);
      const oldest = ranges.keys().next().value;
      if (ranges.size > REMEMBERED_RANGES && oldest !== undefined) ranges.delete(oldest);
      storage.setItem(Y_RANGE_KEY, JSON.stringify([...ranges].map(([line, ends]) => ({ line, ...ends }))));
      store.setState(ranges, true);
    },
  };
}

let made: ReturnType<typeof createYRangeStore> | null = null;

/** Return this browser's y ranges, kept up to date on every card, and a function that sets one. */
export function useYRanges() {
  made ??= createYRangeStore(localStorage);
  return { ranges: useStore(made), setRange: made.set };
}

/** Parse a number with a decimal point or comma; 0 if malformed. */
function numberOf(text: string): number {
  const number = Number.parseFloat(text.trim().replace(",", "."));
  return Number.isFinite(number) ? number : 0;
}

/**
 * Parse two typed ends: an empty pair is the automatic range (null); a minimum not below the maximum is
 * wrong.
 */
export function readYRange(min: string, max: string): YRange | null | "wrong" {
  if (min.trim() === "" && max.trim() === "") return null;
  const range = { min: numberOf(min), max: numberOf(max) };
  return range.min < range.max ? range : "wrong";
}

/**
 * Parse the dialog of a comparison: it shows 0 for an end that is not set, so two zeros are the automatic
 * range.
 */
export function readSharedYRange(min: string, max: string): YRange | null | "wrong" {
  const read = readYRange(min, max);
  return read === "wrong" && numberOf(min) === 0 && numberOf(max) === 0 ? null : read;
}
