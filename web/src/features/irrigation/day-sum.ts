import type { ListedWatering, WateringSum, Waterings } from "@mulkko/shared/rest/waterings";
import { dateAt, zoneNamed } from "@mulkko/shared/rules/calendar";
import { NO_FARM } from "../../domain/farm/farm-members.ts";

/** Waterings of a farm, or of all farms, on one day. */
export interface DaySum {
  readonly count: number;
  readonly running: number;
  readonly seconds: number;
  /** Null if no meter was read. */
  readonly litres: number | null;
  /** Waterings whose litres are unknown. */
  readonly unmeasured: number;
  /** Waterings without an end whose valve is not known to be open (ONL-5). */
  readonly unconfirmed: number;
}

type Running = Pick<ListedWatering, "channelId" | "end" | "farmIds">;

/**
 * Return true if something on these farms belongs to a farm.
 *
 * @param farmId one farm; {@link NO_FARM} for the land without a farm; null for everything
 */
export const isOnFarm = (farmIds: readonly string[], farmId: string | null): boolean =>
  farmId === null || (farmId === NO_FARM ? farmIds.length === 0 : farmIds.includes(farmId));

/**
 * Count the waterings of a farm, as in {@link isOnFarm}, without an end whose valve is not known to be open.
 *
 * @param runs true for a channel that is known to be open
 */
export function unconfirmedOf(
  waterings: readonly Running[],
  runs: (channelId: string) => boolean,
  farmId: string | null,
): number {
  return waterings.filter(
    ({ end, farmIds, channelId }) => end === null && isOnFarm(farmIds, farmId) && !runs(channelId),
  ).length;
}

/**
 * Sum up one day of a farm, as in {@link isOnFarm}. In the sum of everything, water on the land of two farms
 * counts twice, as in the sums.
 */
export function daySum(
  sums: readonly WateringSum[],
  date: string,
  farmId: string | null,
): Omit<DaySum, "unconfirmed"> {
  let [count, running, seconds, measured] = [0, 0, 0, 0];
  let litres: number | null = null;
  for (const sum of sums) {
    if (sum.date !== date || !isOnFarm(sum.farmId === null ? [] : [sum.farmId], farmId)) continue;
    count += sum.count;
    running += sum.running;
    seconds += sum.seconds;
    measured += sum.measured;
    if (sum.litres !== null) litres = (litres ?? 0) + sum.litres;
  }
  return { count, running, seconds, litres, unmeasured: count - measured };
}

/**
 * Return since when waterings are known, ms UTC; null if the relay has watched as long as they are kept (WAT-4).
 */
export function seenSince({ knownFrom, keptFrom }: Pick<Waterings, "knownFrom" | "keptFrom">): number | null {
  const since = Date.parse(knownFrom);
  return since > Date.parse(keptFrom) ? since : null;
}

/** Return since when waterings of today are known, ms UTC; null if the relay has watched all day (WAT-4). */
export function seenTodaySince({
  knownFrom,
  today,
  timezone,
}: Pick<Waterings, "knownFrom" | "today" | "timezone">): number | null {
  const since = Date.parse(knownFrom);
  return dateAt(since, zoneNamed(timezone)) < today ? null : since;
}
