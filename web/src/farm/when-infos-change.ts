import type { LiveFarm } from "../live/hooks.ts";

/**
 * A selection that is made anew only when something came, went, was renamed or moved, not with each reading: what it
 * is made from is compared by identity, as a value of the live store keeps its `info` until that differs. Keep it for
 * as long as the component lives.
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
