import { type ApiClock, seriesTimes } from "@mulkko/shared/rules/zoneless-time";

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

/** Return when a log's rows were written, ms UTC; null for an invalid or impossible time (ONL-6). */
export type RowTimes = (texts: readonly (string | null | undefined)[]) => (number | null)[];

export const createRowTimes =
  (clock: ApiClock, { isPossible }: Pick<TimeAhead, "isPossible">): RowTimes =>
  (texts) =>
    seriesTimes(texts, clock.zone, clock.now()).map((at) => (at !== null && isPossible(at) ? at : null));

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
