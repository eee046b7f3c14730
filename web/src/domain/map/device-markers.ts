import type { Alarm, AlarmPriority } from "@mulkko/shared/live/alarm";
import type { SensorValue } from "@mulkko/shared/live/devices";
import { countedQuality } from "@mulkko/shared/live/value-age";
import { parseDeviceKey } from "@mulkko/shared/rules/device-keys";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { drawnQuality, type Quality } from "@mulkko/shared/rules/quality";
import { stressLevel } from "@mulkko/shared/rules/stress";
import { shallow } from "zustand/shallow";
import type { LiveFarm } from "../../live/hooks.ts";
import { readingNumber } from "../reading/reading.ts";
import { type MapMarker, shapeOf } from "./marker.tsx";
import { placeOf } from "./place.ts";

type Devices = Pick<LiveFarm, "sensors" | "alarms">;

/** The worst alarm of each sensor that is on; one that was put off is not shouted on the map. */
function worstAlarms(alarms: ReadonlyMap<string, Alarm>): Map<string, AlarmPriority> {
  const worst = new Map<string, AlarmPriority>();
  for (const { key, priority, active, snooze } of alarms.values()) {
    const thing = parseDeviceKey(key);
    // A channel of a COT sensor carries the sensor's id.
    const id = thing?.kind === "sensor" || thing?.kind === "channel" ? thing.id : null;
    if (id === null || !active || snooze !== null) continue;
    const known = worst.get(id);
    if (known === undefined || priority < known) worst.set(id, priority);
  }
  return worst;
}

function markerOf(
  id: string,
  sensor: SensorValue,
  alarm: AlarmPriority | null,
  links: Quality,
): MapMarker | null {
  const { info, reading, link } = sensor;
  const place = placeOf(info);
  if (!place) return null;
  const stress = info.deviceType === "LAT" ? readingNumber(reading, "stress") : null;
  return {
    id,
    ...place,
    shape: shapeOf(info.deviceType),
    label: deviceName(info),
    stress: info.deviceType === "LAT" ? stressLevel(stress) : null,
    text: stress === null ? null : `${Math.round(stress)}`,
    alarm,
    fresh: drawnQuality({ quality: countedQuality(sensor), link }, links) === "fresh",
  };
}

/**
 * Create a source of markers of the sensors of some `types`; null is all. `link` is the best that the links
 * allow. A marker is the same object until it would be drawn otherwise, and so is the whole list. Of thousands
 * of sensors a reading then costs one comparison each.
 */
export function createMarkerSource() {
  interface Kept {
    readonly value: SensorValue;
    readonly alarm: AlarmPriority | null;
    readonly link: Quality;
    readonly marker: MapMarker | null;
  }
  const kept = new Map<string, Kept>();
  let last: readonly MapMarker[] = [];
  return ({ sensors, alarms }: Devices, types: readonly string[] | null, link: Quality) => {
    const worst = worstAlarms(alarms);
    const markers: MapMarker[] = [];
    for (const [id, value] of sensors) {
      if (types && !types.includes(value.info.deviceType)) continue;
      const alarm = worst.get(id) ?? null;
      let known = kept.get(id);
      if (known?.value !== value || known.alarm !== alarm || known.link !== link) {
        const made = markerOf(id, value, alarm, link);
        const marker = known && shallow(known.marker, made) ? known.marker : made;
        known = { value, alarm, link, marker };
        kept.set(id, known);
      }
      if (known.marker) markers.push(known.marker);
    }
    if (kept.size > sensors.size) {
      for (const id of kept.keys()) if (!sensors.has(id)) kept.delete(id);
    }
    if (markers.length !== last.length || markers.some((marker, index) => marker !== last[index]))
      last = markers;
    return last;
  };
}
