import { useMemo } from "react";
import { fetchSensorsOf } from "../../api/admin-sensors.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { groundOfSensors } from "../../domain/device/placed-ground.ts";
import type { PlacedGround } from "../../domain/map/place-picker-props.ts";

const BARE: PlacedGround = { markers: [], outlines: [] };

/**
 * Return the locations of an account's devices and farms for a form's map; empty until they are known. The map
 * works without them, and the sensor list reports the failure.
 */
export function useGroundOf(userId: string | null, username: string): PlacedGround {
  const { data: sensors } = useRestQuery(
    ["sensors-of", userId, username],
    (rest, signal) => fetchSensorsOf(rest, { id: `${userId}`, username }, signal),
    { enabled: userId !== null },
  );
  return useMemo(() => (sensors === null ? BARE : groundOfSensors(sensors)), [sensors]);
}
