import type { Sensor } from "@mulkko/shared/entities/sensor";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { useCallback } from "react";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import { farmOutlines, groundOf } from "../map/geometry.ts";
import type { PlacedGround } from "../map/marker.tsx";
import { type MapMarker, shapeOf } from "../map/marker.tsx";
import { type Place, placeOf } from "../map/place.ts";

type Placed = Pick<Sensor, "id" | "deviceType" | "name" | "serial" | "latitude" | "longitude" | "clusters">;

const LISTED = ["sensor.listing", "farm.listing"] as const;

const sameGround = (a: PlacedGround, b: PlacedGround): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Return markers of placed sensors. They show the location only, without quality or alarms. */
function markersOf(sensors: readonly Placed[]): MapMarker[] {
  return sensors.flatMap((sensor) => {
    const place = placeOf(sensor);
    return place
      ? [
          {
            id: `${sensor.id}`,
            ...place,
            shape: shapeOf(sensor.deviceType),
            label: deviceName(sensor),
            stress: null,
            text: null,
            alarm: null,
            fresh: true,
          },
        ]
      : [];
  });
}

/** Return the places of the account's own sensors and farms, kept up to date. */
export function useOwnGround(): PlacedGround {
  const select = useCallback(
    ({ sensors, farms }: LiveFarm): PlacedGround => ({
      markers: markersOf([...sensors.values()].map(({ info }) => info)),
      outlines: farmOutlines(farms, sensors),
    }),
    [],
  );
  return useLiveSelection(LISTED, select, sameGround);
}

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
