import { parseDeviceKey } from "@mulkko/shared/live/keys";
import { useCallback } from "react";
import { type FarmMembers, farmMembers } from "../farm/farm-members.ts";
import { valveBoxes } from "../farm/valve-boxes.ts";
import { type LiveFarm, useLiveSelection } from "../live/hooks.ts";
import "./farm-label.css";

const KINDS = ["farm", "sensor.listing", "controller.listing", "channel"] as const;

function farmIdsOf(farm: LiveFarm, members: FarmMembers, key: string): readonly string[] {
  const thing = parseDeviceKey(key);
  if (thing?.kind === "sensor" && farm.sensors.get(thing.id)?.info.deviceType !== "COT")
    return members.ofSensor(thing.id);
  const owner =
    thing?.kind === "channel"
      ? farm.channels.get(key.slice(key.indexOf(":") + 1))?.controllerId
      : thing?.kind === "controller" || thing?.kind === "sensor"
        ? thing.id
        : undefined;
  const box = owner === undefined ? undefined : valveBoxes(farm).find(({ id }) => id === `${owner}`);
  return box ? members.ofBox(box) : [];
}

/**
 * Name the farm of a device or channel where the screen shows more than one farm; null otherwise.
 *
 * @param key of the live state: `sensor:…`, `controller:…`, `channel:…`
 */
export function farmLabelOf(farm: LiveFarm, key: string, short = false): string | null {
  if (farm.farms.size < 2) return null;
  const ids = farmIdsOf(farm, farmMembers(farm), key);
  const names = ids.flatMap((id) => {
    const name = farm.farms.get(id)?.info.name;
    if (name === undefined) return [];
    const others = [...farm.farms].flatMap(([other, { info }]) => (other === id ? [] : [info.name]));
    return [short ? shortFarmName(name, others) : name];
  });
  return names.length === 0 ? null : names.join(", ");
}

/** The fewest letters of a short name: "1" alone would be read as house 1. */
const SHORTEST = 2;

/**
 * Shorten a farm's name to the first word that tells it from the other farms of the screen: "논산" and "이천", "North"
 * and "South". The whole name where one word does not.
 */
export function shortFarmName(name: string, others: readonly string[]): string {
  const words = (text: string): string[] => text.trim().split(/\s+/);
  const own = words(name);
  const isCommon = (word: string): boolean => others.some((other) => words(other).includes(word));
  const first = own.find((word) => !isCommon(word));
  return first !== undefined && first.length >= SHORTEST && !/^\d+$/.test(first) ? first : name;
}

/**
 * The farm of what stands beside it: two farms of one screen often have the same house 1.
 *
 * @param short a word of it, for a tile
 */
export function FarmLabel({ about, short = false }: { about: string; short?: boolean }) {
  const name = useLiveSelection(
    KINDS,
    useCallback((farm: LiveFarm) => farmLabelOf(farm, about, short), [about, short]),
  );
  return name === null ? null : <span className="farm-label">{name}</span>;
}
