import { useEffect, useState } from "react";
import type { SelectOption } from "../../components/field.tsx";
import { NO_FARM } from "../../devices/sensor-values.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { fetchFarmsOf } from "../../rest/admin-sensors.ts";
import { useExtension } from "../../rest/extensions.ts";
import { useRest } from "../../rest/hooks.ts";

/** Farm by id and name. */
export interface NamedFarm {
  readonly id: string;
  readonly name: string;
}

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
  const { client } = useRest();
  const offered = useExtension("admin-clusters");
  const [farms, setFarms] = useState<{ of: string; list: readonly NamedFarm[] } | null>(null);
  useEffect(() => {
    if (userId === null || !offered) return;
    const abort = new AbortController();
    fetchFarmsOf(client, userId, abort.signal).then(
      (list) =>
        setFarms({ of: userId, list: list.map(({ id, name }) => ({ id: `${id}`, name: name || `${id}` })) }),
      // Without them the sensor keeps its farm.
      () => undefined,
    );
    return () => abort.abort();
  }, [client, userId, offered]);
  const list = farms !== null && farms.of === userId ? farms.list : known;
  const isLost = current !== NO_FARM && !list.some(({ id }) => id === current);
  return [
    { value: NO_FARM, label: t("farmNone") },
    ...list.map(({ id, name }) => ({ value: id, label: name })),
    ...(isLost ? [{ value: current, label: known.find(({ id }) => id === current)?.name ?? current }] : []),
  ];
}
