import type { FarmValue, SensorValue } from "@mulkko/shared/live/devices";
import { groundOf } from "./hull.ts";
import type { MapOutline } from "./marker.ts";
import { placeOf } from "./place.ts";

/** Return the outline of each farm that has placed devices. */
export function farmOutlines(
  farms: ReadonlyMap<string, FarmValue>,
  sensors: ReadonlyMap<string, SensorValue>,
): MapOutline[] {
  return [...farms].flatMap(([id, { info }]) => {
    const places = info.sensorIds.flatMap((sensor) => {
      const value = sensors.get(`${sensor}`);
      const place = value ? placeOf(value.info) : null;
      return place ? [place] : [];
    });
    const ring = groundOf(places);
    return ring.length === 0 ? [] : [{ id, name: info.name, ring }];
  });
}
