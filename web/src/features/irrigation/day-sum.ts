import type { WateringSum } from "@mulkko/shared/rest/waterings";

/** What a farm, or all of them, got on one day. */
export interface DaySum {
  readonly count: number;
  readonly running: number;
  readonly seconds: number;
  /** null where no meter was read. */
  readonly litres: number | null;
  /** Waterings of which nobody knows the litres. */
  readonly unmeasured: number;
}

/**
 * The sum of one day.
 *
 * @param farmId one farm; null is what was on none; left out: all, where water on the land of two farms counts twice,
 *   as it does in the sums
 */
export function daySum(sums: readonly WateringSum[], date: string, farmId?: string | null): DaySum {
  let [count, running, seconds, measured] = [0, 0, 0, 0];
  let litres: number | null = null;
  for (const sum of sums) {
    if (sum.date !== date || (farmId !== undefined && sum.farmId !== farmId)) continue;
    count += sum.count;
    running += sum.running;
    seconds += sum.seconds;
    measured += sum.measured;
    if (sum.litres !== null) litres = (litres ?? 0) + sum.litres;
  }
  return { count, running, seconds, litres, unmeasured: count - measured };
}
