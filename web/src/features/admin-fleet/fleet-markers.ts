import type { FleetDeviceValue } from "@mulkko/shared/live/fleet";
import type { BoardEntry } from "../../fleet/board.ts";
import { nameOf, priorityOf } from "../../fleet/device-state.ts";
import { type MapMarker, shapeOf } from "../../ui/map/marker.ts";
import { placeOf } from "../../ui/map/place.ts";

/** A mark is the same object while its device is: the map draws anew what differs. */
const marks = new WeakMap<FleetDeviceValue, MapMarker | null>();

function markOf(key: string, device: FleetDeviceValue): MapMarker | null {
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
    fresh: device.quality === "fresh",
  };
  marks.set(device, mark);
  return mark;
}

/** The marks of the devices that the board shows, and how many of them have no place. */
export function fleetMarkers(
  entries: readonly BoardEntry[],
  devices: ReadonlyMap<string, FleetDeviceValue>,
): { markers: MapMarker[]; unplaced: number } {
  const markers: MapMarker[] = [];
  let unplaced = 0;
  for (const entry of entries) {
    if (entry.kind !== "device") continue;
    const device = devices.get(entry.key);
    const mark = device ? markOf(entry.key, device) : null;
    if (mark) markers.push(mark);
    else unplaced += 1;
  }
  return { markers, unplaced };
}
