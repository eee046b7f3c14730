import type { SelectOption } from "../../components/field.tsx";
import { byName } from "../../i18n/by-name.ts";
import type { LiveFarm } from "../../live/hooks.ts";
import { useInfos } from "./when-infos-change.ts";

/** Farm by id and name. */
export interface NamedFarm {
  readonly id: string;
  readonly name: string;
}

const FARMS = ["farm"] as const;
const farmsIn = ({ farms }: LiveFarm): readonly NamedFarm[] =>
  [...farms].map(([id, { info }]) => ({ id, name: info.name })).sort(byName);

/** Return the account's farms by name, live. */
export const useFarmsByName = (): readonly NamedFarm[] => useInfos(FARMS, farmsIn);

/** Return the account's only farm, which a form of a new device has chosen beforehand; null for none or several. */
export function useOnlyFarmId(): string | null {
  const farms = useFarmsByName();
  return (farms.length === 1 && farms[0]?.id) || null;
}

/**
 * Return a form's choices of a farm: none, the farms, and the current farm even if it is unknown.
 *
 * @param none value and label of the first choice
 */
export function farmOptions(
  farms: readonly NamedFarm[],
  none: SelectOption,
  current: NamedFarm,
): readonly SelectOption[] {
  const isKnown = current.id === none.value || farms.some(({ id }) => id === current.id);
  return [
    none,
    ...[...farms, ...(isKnown ? [] : [current])].map(({ id, name }) => ({ value: id, label: name || id })),
  ];
}
