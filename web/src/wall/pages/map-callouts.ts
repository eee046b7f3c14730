import type { Alarm, AlarmPriority } from "@mulkko/shared/live/alarm";
import { parseDeviceKey } from "@mulkko/shared/live/keys";
import { inOrder } from "../../alarms/present-alarms.ts";
import type { LiveFarm } from "../../live/hooks.ts";
import { type Place, placeOf } from "../../ui/map/place.ts";

/** Something urgent, with where it is; null where nobody has said that. */
export interface UrgentPlace {
  readonly id: string;
  readonly about: string;
  readonly priority: AlarmPriority;
  readonly type: string;
  readonly place: Place | null;
}

const sensorPlace = ({ sensors }: LiveFarm, id: string): Place | null => {
  const sensor = sensors.get(id);
  return sensor ? placeOf(sensor.info) : null;
};

/** A box of valves has no place of its own: it is where the first of the sensors is that sit on its channels. */
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

/** What is urgent now, the most urgent first. */
export function urgentPlaces(farm: LiveFarm): UrgentPlace[] {
  return inOrder(farm.alarms.values())
    .filter(isShouted)
    .map(({ id, key, priority, type }) => ({
      id,
      about: key,
      priority,
      type,
      place: placeOfThing(farm, key),
    }));
}

export const sameUrgent = (a: readonly UrgentPlace[], b: readonly UrgentPlace[]): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
