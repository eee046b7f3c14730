import type { FleetDeviceValue } from "@mulkko/shared/live/fleet";
import { type Quality, worseQuality } from "@mulkko/shared/rules/quality";
import type { BoardEntry } from "../../fleet/board.ts";
import { nameOf, priorityOf } from "../../fleet/device-state.ts";
import { type MapMarker, shapeOf } from "../../ui/map/marker.ts";
import { placeOf } from "../../ui/map/place.ts";

/** A mark is the same object while its device is, over links that are well or not: the map draws anew what differs. */
type Marks = WeakMap<FleetDeviceValue, MapMarker | null>;
const well: Marks = new WeakMap();
const away: Marks = new WeakMap();

function markOf(key: string, device: FleetDeviceValue, link: Quality): MapMarker | null {
  const marks = link === "fresh" ? well : away;
  const known = marks.get(device);
  if (known !== undefined) return known;
  const place = placeOf(device);
  const mark = place && {
    ...place,
    id: key,
    shape: shapeOf(device.kind === "controller" ? "COT" : (device.deviceType ?? "")),
    label: nameOf(device),
    stress: null,
    text: null,
    alarm: priorityOf(device),
    fresh: worseQuality(device.quality, link) === "fresh",
  };
  marks.set(device, mark);
  return mark;
}

/** The marks of the devices that the board shows, no better than the links allow (ONL-2), and how many have no place. */
export function fleetMarkers(
  entries: readonly BoardEntry[],
  devices: ReadonlyMap<string, FleetDeviceValue>,
  link: Quality = "fresh",
): { markers: MapMarker[]; unplaced: number } {
  const markers: MapMarker[] = [];
  let unplaced = 0;
  for (const entry of entries) {
    if (entry.kind !== "device") continue;
    const device = devices.get(entry.key);
    const mark = device ? markOf(entry.key, device, link) : null;
    if (mark) markers.push(mark);
    else unplaced += 1;
  }
  return { markers, unplaced };
}
