import type { FarmValue } from "@mulkko/shared/live/devices";
import { byName } from "./by-name.ts";
import type { ValveBox } from "./valve-boxes.ts";

/** What belongs together on a page: a farm's things, or those without a farm (`farm` null), which come last. */
export interface FarmGroup<Thing> {
  readonly farm: { readonly id: string; readonly name: string } | null;
  readonly things: readonly Thing[];
}

/** Groups things by the farms that `farmsOf` names; a thing of two farms stands in both. */
export function groupByFarm<Thing>(
  farms: ReadonlyMap<string, FarmValue>,
  things: readonly Thing[],
  sensorIdsOf: (thing: Thing) => readonly string[],
): FarmGroup<Thing>[] {
  const groups: FarmGroup<Thing>[] = [];
  const placed = new Set<Thing>();
  const ordered = [...farms].map(([id, { info }]) => ({ id, name: info.name, info })).sort(byName);
  for (const { id, name, info } of ordered) {
    const members = new Set(info.sensorIds.map(String));
    const mine = things.filter((thing) => sensorIdsOf(thing).some((sensor) => members.has(sensor)));
    for (const thing of mine) placed.add(thing);
    if (mine.length > 0) groups.push({ farm: { id, name }, things: mine });
  }
  const rest = things.filter((thing) => !placed.has(thing));
  return rest.length > 0 ? [...groups, { farm: null, things: rest }] : groups;
}

/** Without a farm of its own, a controller belongs to the farms of its channels' sensors; a COT sensor to its own. */
export function sensorIdsOfBox(box: ValveBox): readonly string[] {
  const own = box.form === "sensor" ? [box.id] : [];
  return [...own, ...box.channels.flatMap(({ value }) => value.sensorIds.map(String))];
}
