import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { apiInstant } from "../upstream/api-instant.ts";

/** Bounds the times that a farm API or a device reports by the present (ONL-6). All times are ms UTC. */
export interface TimeAhead {
  /** False for a time that lies more than a minute ahead of the farm API's clock. */
  isPossible(at: number): boolean;
  /**
   * Return the time to use for a report: its own, or its first arrival if its own is impossible. The same
   * impossible time of one key remains the same report.
   */
  effectiveTime(key: string, at: number): { readonly at: number; readonly isAhead: boolean };
  forget(key: string): void;
}

/** Return when a stored row was written, ms UTC; null for an invalid or impossible time (ONL-6). */
export type RowTime = (text: string | null | undefined) => number | null;

export const createRowTime =
  (zone: ApiTimeZone, { isPossible }: Pick<TimeAhead, "isPossible">): RowTime =>
  (text) => {
    const at = apiInstant(text, zone);
    return at !== null && isPossible(at) ? at : null;
  };

const TOLERANCE_MS = 60_000;

/** @param apiNow returns the farm API's time, as far as it is known */
export function createTimeAhead(now: () => number, apiNow: () => number): TimeAhead {
  const impossible = new Map<string, { said: number; at: number }>();
  const isPossible = (at: number): boolean => at <= Math.max(now(), apiNow()) + TOLERANCE_MS;
  return {
    isPossible,
    effectiveTime(key, said) {
      const known = impossible.get(key);
      if (known?.said === said) return { at: known.at, isAhead: true };
      if (isPossible(said)) {
        impossible.delete(key);
        return { at: said, isAhead: false };
      }
      const first = { said, at: now() };
      impossible.set(key, first);
      return { at: first.at, isAhead: true };
    },
    forget: (key) => void impossible.delete(key),
  };
}
