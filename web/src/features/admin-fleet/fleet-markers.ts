import type { FleetDeviceValue } from "@mulkko/shared/live/fleet";
import type { Quality } from "@mulkko/shared/rules/quality";
import type { BoardEntry } from "../../domain/fleet/board.ts";
import { deviceState, nameOf, priorityOf } from "../../domain/fleet/device-state.ts";
import { type MapMarker, shapeOf } from "../../domain/map/marker.tsx";
import { placeOf } from "../../domain/map/place.ts";

/**
 * A marker stays the same object while its device value does, per link state: the map renders only changed
 * markers.
 */
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
    fresh: deviceState(device, link) === "fresh",
  };
  marks.set(device, mark);
  return mark;
}

/**
 * Return markers of the board's devices, no better than the links allow (ONL-2), and the number of devices
 * without a location.
 */
export function fleetMarkers(
  entries: readonly BoardEntry[],
  devices: ReadonlyMap<string, FleetDeviceValue>,
  link: Quality = "fresh",
): { markers: MapMarker[]; unplaced: number } {
  const keys = entries.flatMap((entry) => (entry.kind === "device" ? [entry.key] : []));
  const markers = keys.flatMap((key) => {
    const device = devices.get(key);
    return (device && markOf(key, device, link)) ?? [];
  });
  return { markers, unplaced: keys.length - markers.length };
}
