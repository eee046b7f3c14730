import { useMemo } from "react";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";

/**
 * Create a selector that recomputes only when something was added, removed, renamed or moved, not with each
 * reading. It compares `info` objects by identity, which the live store keeps while they are equal. Keep the
 * selector as long as the component lives.
 */
export function whenInfosChange<Result>(make: (live: LiveFarm) => Result): (live: LiveFarm) => Result {
  let last: { madeOf: readonly unknown[]; result: Result } | null = null;
  return (live) => {
    const madeOf = partsOf(live);
    if (last && same(last.madeOf, madeOf)) return last.result;
    last = { madeOf, result: make(live) };
    return last.result;
  };
}

/**
 * Compute a value with {@link whenInfosChange} and follow it.
 *
 * @param topics as of `useLiveSelection`
 * @param make must be a stable function
 */
export function useInfos<Result>(
  topics: Parameters<typeof useLiveSelection>[0],
  make: (live: LiveFarm) => Result,
): Result {
  return useLiveSelection(
    topics,
    useMemo(() => whenInfosChange(make), [make]),
  );
}

function partsOf({ farms, sensors, controllers, channels }: LiveFarm): unknown[] {
  const parts: unknown[] = [];
  for (const [id, { info }] of farms) parts.push(id, info);
  for (const [id, { info }] of sensors) parts.push(id, info);
  for (const [id, { info }] of controllers) parts.push(id, info);
  for (const [id, { controllerId, number, name, sensorIds }] of channels) {
    parts.push(id, controllerId, number, name, sensorIds);
  }
  return parts;
}

const same = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((part, index) => part === b[index]);
