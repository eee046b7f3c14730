import type { ListedWatering, WateringSum } from "@mulkko/shared/rest/waterings";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";

/** Return the date in the zone, such as `2026-11-21`. */
export const dateIn = (zone: ApiTimeZone, instant: number): string => zone.toApi(instant).slice(0, 10);

/**
 * Return the sums of each farm on each day of the zone, newest day first. A watering counts for the day of
 * its start, and for each of its farms.
 *
 * @param now ms UTC, up to which a running watering counts
 */
export function wateringSums(
  waterings: Iterable<ListedWatering>,
  zone: ApiTimeZone,
  now: number,
): WateringSum[] {
  const sums = new Map<string, WateringSum>();
  for (const { start, end, plannedEnd, litres, farmIds } of waterings) {
    const date = dateIn(zone, Date.parse(start));
    // After the planned end the relay does not know whether water still runs.
    const planned = plannedEnd ? Math.min(now, Date.parse(plannedEnd)) : now;
    const to = end === null ? planned : Date.parse(end);
    const seconds = Math.max(0, Math.round((to - Date.parse(start)) / 1_000));
    for (const farmId of farmIds.length > 0 ? farmIds : [null]) {
      const key = JSON.stringify([date, farmId]);
      const sum = sums.get(key) ?? {
        date,
        farmId,
        count: 0,
        running: 0,
        seconds: 0,
        litres: null,
        measured: 0,
      };
      sum.count += 1;
      sum.seconds += seconds;
      if (end === null) sum.running += 1;
      if (litres !== null) {
        sum.measured += 1;
        sum.litres = Math.round(((sum.litres ?? 0) + litres) * 1_000) / 1_000;
      }
      sums.set(key, sum);
    }
  }
  return [...sums.values()].sort(
    (a, b) => b.date.localeCompare(a.date) || (a.farmId ?? "").localeCompare(b.farmId ?? ""),
  );
}
