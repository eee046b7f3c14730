import type { Clock } from "@mulkko/shared/rules/clock";

/** Decides when to trust an empty list that had rows before (POLL-9). */
export interface EmptyLists {
  /** @returns true to apply the list, false to poll it again first */
  isBelieved(list: string, rows: number, had: boolean): boolean;
  /** Record a write of the account that may have emptied the list, which is then trusted at once. */
  wrote(list: string): void;
}

/** Time for which a list must have been empty, ms. */
const EMPTY_MS = 75_000;
/** Delay before an empty list is polled again, ms. */
export const EMPTY_AGAIN_MS = 15_000;

export function createEmptyLists(clock: Pick<Clock, "monotonic">): EmptyLists {
  const since = new Map<string, number>();
  return {
    isBelieved(list, rows, had) {
      const first = since.get(list);
      if (rows > 0 || !had || (first !== undefined && clock.monotonic() - first >= EMPTY_MS)) {
        since.delete(list);
        return true;
      }
      if (first === undefined) since.set(list, clock.monotonic());
      return false;
    },
    wrote: (list) => void since.set(list, clock.monotonic() - EMPTY_MS),
  };
}
