import type { ChannelValue, ControllerValue, FarmValue } from "@mulkko/shared/live/devices";
import { controllerKey, sensorKey } from "@mulkko/shared/rules/device-keys";
import { type FarmIndex, indexFarms } from "@mulkko/shared/rules/farm-of";
import { byName } from "../../i18n/by-name.ts";
import type { ValveUnit } from "../valve/valve-units.ts";

/** Value in the address for devices without a farm. */
export const NO_FARM = "none";

interface Places {
  readonly farms: ReadonlyMap<string, FarmValue>;
  readonly controllers?: ReadonlyMap<string, ControllerValue>;
  readonly channels?: ReadonlyMap<string, ChannelValue>;
}

/** Decide which device is on which farm (FARM-1), by the rule that the relay closes farms by. */
export function farmMembers({ farms, controllers, channels }: Places): FarmIndex {
  return indexFarms({
    farms: [...farms].map(([id, { info }]) => [id, info.sensorIds]),
    controllers: [...(controllers ?? [])].map(([id, { info }]) => [id, info.clusterId]),
    channels: channels ?? [],
  });
}

/** Return the live key of a controller or COT sensor. */
export const unitKey = ({ form, id }: Pick<ValveUnit, "form" | "id">): string =>
  form === "sensor" ? sensorKey(id) : controllerKey(id);

/** Group of things on a page: those of a farm, or those without a farm (`farm` null), which come last. */
export interface FarmGroup<Thing> {
  readonly farm: { readonly id: string; readonly name: string } | null;
  readonly things: readonly Thing[];
}

/** Group things by the farms that `farmsOf` returns; a thing of two farms is in both groups. */
export function groupByFarm<Thing>(
  farms: ReadonlyMap<string, FarmValue>,
  things: readonly Thing[],
  farmsOf: (thing: Thing) => readonly string[],
): FarmGroup<Thing>[] {
  const groups: FarmGroup<Thing>[] = [];
  const placed = new Set<Thing>();
  const ordered = [...farms].map(([id, { info }]) => ({ id, name: info.name })).sort(byName);
  for (const { id, name } of ordered) {
    const mine = things.filter((thing) => farmsOf(thing).includes(id));
    for (const thing of mine) placed.add(thing);
    if (mine.length > 0) groups.push({ farm: { id, name }, things: mine });
  }
  const rest = things.filter((thing) => !placed.has(thing));
  return rest.length > 0 ? [...groups, { farm: null, things: rest }] : groups;
}
