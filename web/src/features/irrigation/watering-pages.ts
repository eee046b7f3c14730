import type { ListedWatering } from "@mulkko/shared/rest/waterings";

/**
 * Pages as one list: what runs first, then the newest. A watering of several pages counts as the first one says: it
 * was asked for last.
 */
export function mergePages(
  fresh: readonly ListedWatering[],
  older: readonly ListedWatering[],
): ListedWatering[] {
  const byId = new Map<string, ListedWatering>();
  for (const watering of [...fresh, ...older]) if (!byId.has(watering.id)) byId.set(watering.id, watering);
  const runs = ({ end }: ListedWatering): number => Number(end === null);
  return [...byId.values()].sort(
    (a, b) => runs(b) - runs(a) || b.start.localeCompare(a.start) || b.id.localeCompare(a.id),
  );
}
