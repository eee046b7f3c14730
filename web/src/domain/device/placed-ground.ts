import type { Sensor } from "@mulkko/shared/entities/sensor";
import { deviceName } from "@mulkko/shared/rules/device-name";
import type { LiveFarm } from "../../live/hooks.ts";
import { useInfos } from "../farm/when-infos-change.ts";
import { farmOutlines, groundOf } from "../map/geometry.ts";
import { type MapMarker, type PlacedGround, shapeOf } from "../map/marker.tsx";
import { type Place, placeOf } from "../map/place.ts";

type Placed = Pick<Sensor, "id" | "deviceType" | "name" | "serial" | "latitude" | "longitude" | "clusters">;

const LISTED = ["sensor.listing", "farm.listing"] as const;

/** Return markers of placed sensors. They show the location only, without quality or alarms. */
function markersOf(sensors: readonly Placed[]): MapMarker[] {
  return sensors.flatMap((sensor) => {
    const place = placeOf(sensor);
    if (!place) return [];
    const [id, shape, label] = [`${sensor.id}`, shapeOf(sensor.deviceType), deviceName(sensor)];
    return { id, ...place, shape, label, stress: null, text: null, alarm: null, fresh: true };
  });
}

const groundIn = ({ sensors, farms }: LiveFarm): PlacedGround => ({
  markers: markersOf([...sensors.values()].map(({ info }) => info)),
  outlines: farmOutlines(farms, sensors),
});

/** Return the places of the account's own sensors and farms, kept up to date. */
export const useOwnGround = (): PlacedGround => useInfos(LISTED, groundIn);

/** Return the places of listed sensors and the outlines of the farms that they name. */
export function groundOfSensors(sensors: readonly Placed[]): PlacedGround {
  const farms = new Map<string, { name: string; places: Place[] }>();
  for (const sensor of sensors) {
    const place = placeOf(sensor);
    for (const { id, name } of place ? (sensor.clusters ?? []) : []) {
      const farm = farms.get(`${id}`) ?? { name: name ?? `${id}`, places: [] };
      farms.set(`${id}`, farm);
      if (place) farm.places.push(place);
    }
  }
  return {
    markers: markersOf(sensors),
    outlines: [...farms].map(([id, { name, places }]) => ({ id, name, ring: groundOf(places) })),
  };
}
