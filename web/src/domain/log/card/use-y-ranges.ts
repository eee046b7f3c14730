import { useSyncExternalStore } from "react";
import { createYRangeStore, type YRangeStore } from "./y-range-store.ts";

let made: YRangeStore | null = null;

/** Return this browser's y ranges, kept up to date on every card. */
export function useYRanges(): YRangeStore {
  made ??= createYRangeStore(localStorage);
  useSyncExternalStore(made.subscribe, made.version);
  return made;
}
