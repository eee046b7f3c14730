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
export function farmLabelOf(farm: LiveFarm, key: string): string | null {
  if (farm.farms.size < 2) return null;
  const names = farmIdsOf(farm, farmMembers(farm), key).flatMap((id) => farm.farms.get(id)?.info.name ?? []);
  return names.length === 0 ? null : names.join(", ");
}

/** The farm of what stands beside it: two farms of one screen often have the same house 1. */
export function FarmLabel({ about }: { about: string }) {
  const name = useLiveSelection(
    KINDS,
    useCallback((farm: LiveFarm) => farmLabelOf(farm, about), [about]),
  );
  return name === null ? null : <span className="farm-label">{name}</span>;
}
