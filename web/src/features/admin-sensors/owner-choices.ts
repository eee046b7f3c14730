import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { fetchFarmsOf, fetchSensorsOf } from "../../api/admin-sensors.ts";
import { useExtension } from "../../api/extensions.ts";
import { useRestQuery } from "../../api/queries.tsx";
import type { SelectOption } from "../../components/field.tsx";
import { groundOfSensors } from "../../domain/device/placed-ground.ts";
import { NO_FARM } from "../../domain/device/sensor-values.ts";
import { farmOptions, type NamedFarm } from "../../domain/farm/farms-by-name.ts";
import type { PlacedGround } from "../../domain/map/marker.tsx";

/**
 * Return "none" and the farms of an account: a sensor is on a farm of its owner. If they cannot be loaded,
 * only the known ones are offered.
 *
 * @param userId null while no owner is selected
 * @param current the selected farm and the known farms of the sensor
 */
export function useFarmsOf(
  userId: string | null,
  current: string,
  known: readonly NamedFarm[] = [],
): readonly SelectOption[] {
  const { t } = useTranslation("devices");
  const offered = useExtension("admin-clusters");
  // Without them the sensor keeps its farm.
  const { data: farms } = useRestQuery(
    ["farms-of", userId],
    (rest, signal) => fetchFarmsOf(rest, `${userId}`, signal),
    { enabled: offered && userId !== null },
  );
  return farmOptions(
    farms?.map(({ id, name }) => ({ id: `${id}`, name })) ?? known,
    { value: NO_FARM, label: t("farmNone") },
    known.find(({ id }) => id === current) ?? { id: current, name: current },
  );
}

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
  return useMemo(() => groundOfSensors(sensors ?? []), [sensors]);
}
