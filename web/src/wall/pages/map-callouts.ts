import type { Alarm } from "@mulkko/shared/live/alarm";
import { parseDeviceKey } from "@mulkko/shared/rules/device-keys";
import { inOrder } from "../../domain/alarm/present-alarms.ts";
import { type Place, placeOf } from "../../domain/map/place.ts";
import type { LiveFarm } from "../../live/hooks.ts";

/** An urgent alarm with its place; null if unknown. */
export interface UrgentPlace {
  readonly id: string;
  readonly alarm: Alarm;
  readonly place: Place | null;
}

const sensorPlace = ({ sensors }: LiveFarm, id: string): Place | null => {
  const sensor = sensors.get(id);
  return sensor ? placeOf(sensor.info) : null;
};

/** Return a valve unit's place: that of the first sensor on its channels. */
function boxPlace(farm: LiveFarm, owner: string): Place | null {
  const own = sensorPlace(farm, owner);
  if (own) return own;
  for (const { controllerId, sensorIds } of farm.channels.values()) {
    if (`${controllerId}` !== owner) continue;
    for (const id of sensorIds) {
      const place = sensorPlace(farm, `${id}`);
      if (place) return place;
    }
  }
  return null;
}

function placeOfThing(farm: LiveFarm, key: string): Place | null {
  const thing = parseDeviceKey(key);
  if (thing?.kind === "sensor") return sensorPlace(farm, thing.id);
  if (thing?.kind === "controller") return boxPlace(farm, thing.id);
  if (thing?.kind !== "channel") return null;
  const channel = farm.channels.get(key.slice(key.indexOf(":") + 1));
  if (!channel) return null;
  for (const id of channel.sensorIds) {
    const place = sensorPlace(farm, `${id}`);
    if (place) return place;
  }
  return boxPlace(farm, `${channel.controllerId}`);
}

const isShouted = ({ active, priority, snooze }: Alarm): boolean => active && priority < 3 && snooze === null;

/** Return the active urgent alarms, most urgent first. */
export function urgentPlaces(farm: LiveFarm): UrgentPlace[] {
  return inOrder(farm.alarms.values())
    .filter(isShouted)
    .map((alarm) => ({ id: alarm.id, alarm, place: placeOfThing(farm, alarm.key) }));
}

export const sameUrgent = (a: readonly UrgentPlace[], b: readonly UrgentPlace[]): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
