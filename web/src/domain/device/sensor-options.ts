import { DEVICE_TYPES } from "@mulkko/shared/catalogue/registry";
import { useTranslation } from "react-i18next";
import type { SelectOption } from "../../components/field.tsx";
import { byName } from "../../i18n/by-name.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useLiveSelection } from "../../live/hooks.ts";
import { NO_FARM } from "./sensor-values.ts";

const FARMS = ["farm"] as const;

/** Return the types that a device can be registered as, and its current one. */
export function useDeviceTypeOptions(current: string): readonly SelectOption[] {
  const labels = useLabels();
  const types = DEVICE_TYPES.map(({ type }) => type);
  const all = current === "" || types.includes(current) ? types : [...types, current];
  return all.map((value) => {
    const title = labels.deviceType(value);
    return { value, label: title === value ? value : `${title} (${value})` };
  });
}

interface NamedFarm {
  readonly id: string;
  readonly name: string;
}

const sameFarms = (a: readonly NamedFarm[], b: readonly NamedFarm[]) =>
  a.length === b.length && a.every(({ id, name }, index) => b[index]?.id === id && b[index]?.name === name);

/** Return "none", the account's farms by name, and the current farm even if it is unknown. */
export function useFarmOptions(current: string): readonly SelectOption[] {
  const { t } = useTranslation("devices");
  const farms = useLiveSelection(
    FARMS,
    (live): readonly NamedFarm[] =>
      [...live.farms].map(([id, { info }]) => ({ id, name: info.name ?? "" })).sort(byName),
    sameFarms,
  );
  const known = farms.map(({ id, name }) => ({ value: id, label: name || id }));
  const lost = current !== NO_FARM && !farms.some(({ id }) => id === current);
  return [
    { value: NO_FARM, label: t("farmNone") },
    ...known,
    ...(lost ? [{ value: current, label: current }] : []),
  ];
}
