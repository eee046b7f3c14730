import { useSyncExternalStore } from "react";
import { createYRangeStore, type YRangeStore } from "./y-range-store.ts";

let made: YRangeStore | null = null;

/** The y ranges of this browser, followed by every card that shows one of them. */
export function useYRanges(): YRangeStore {
  made ??= createYRangeStore(localStorage);
  useSyncExternalStore(made.subscribe, made.version);
  return made;
}
