import { useEffect, useState } from "react";
import { NO_FARM } from "../../devices/sensor-values.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { fetchFarmsOf } from "../../rest/admin-sensors.ts";
import { useExtension } from "../../rest/extensions.ts";
import { useRest } from "../../rest/hooks.ts";
import type { SelectOption } from "../../ui/form/select-field.tsx";

/** A farm by its id and name. */
export interface NamedFarm {
  readonly id: string;
  readonly name: string;
}

/**
 * None, and the farms of an account: a sensor is on one of its owner's. Where they cannot be had there are none but
 * those that are known anyway.
 *
 * @param userId null while nobody is chosen
 * @param current the farm that is chosen, and those that are known to be the sensor's
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
      // Without them the sensor keeps the farm that it has.
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
