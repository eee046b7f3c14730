import { farmMembers } from "../domain/farm/farm-members.ts";
import { type LiveFarm, useLiveSelection } from "../live/hooks.ts";
import "./farm-label.css";

const KINDS = ["farm", "sensor.listing", "controller.listing", "channel"] as const;

/**
 * Return the farm's name of a device or channel if the screen shows several farms; null otherwise.
 *
 * @param key of the live state: `sensor:…`, `controller:…`, `channel:…`
 */
export function farmLabelOf(farm: LiveFarm, key: string, short = false): string | null {
  if (farm.farms.size < 2) return null;
  const names = farmMembers(farm)
    .of(key)
    .flatMap((id) => {
      const name = farm.farms.get(id)?.info.name;
      if (name === undefined) return [];
      const others = [...farm.farms].flatMap(([other, { info }]) => (other === id ? [] : [info.name]));
      return [short ? shortFarmName(name, others) : name];
    });
  return names.length === 0 ? null : names.join(", ");
}

/** Minimum length of a short name: "1" alone would look like house 1. */
const SHORTEST = 2;

/**
 * Shorten a farm's name to the first word that distinguishes it from the screen's other farms: "논산" and "이천",
 * "North" and "South". Returns the whole name if one word is not enough.
 */
export function shortFarmName(name: string, others: readonly string[]): string {
  const words = (text: string): string[] => text.trim().split(/\s+/);
  const own = words(name);
  const isCommon = (word: string): boolean => others.some((other) => words(other).includes(word));
  const first = own.find((word) => !isCommon(word));
  return first !== undefined && first.length >= SHORTEST && !/^\d+$/.test(first) ? first : name;
}

/**
 * Show the farm of a neighbouring element: two farms of one screen often have the same house names.
 *
 * @param short one distinguishing word, for a tile
 */
export function FarmLabel({ about, short = false }: { about: string; short?: boolean }) {
  const name = useLiveSelection(KINDS, (farm) => farmLabelOf(farm, about, short));
  return name === null ? null : (
    <span className="farm-label" data-testid="farm-label" data-short={short || undefined}>
      {name}
    </span>
  );
}
