import { readIds, toggled, withIds } from "../../../components/address.ts";

/** Devices selected for a common chart; the address holds both lists. */
export interface Chosen {
  /** Sensors. */
  readonly ids: readonly string[];
  /** Devices with valves: controllers and COT sensors. */
  readonly cots: readonly string[];
}

/** Maximum number of devices in one chart. */
export const MOST_CHOSEN = 12;

export function readChosen(params: URLSearchParams): Chosen {
  return { ids: readIds(params, "ids", MOST_CHOSEN), cots: readIds(params, "cots", MOST_CHOSEN) };
}

/** Return the address with the selected devices; an empty list leaves no parameter. */
export const writeChosen = (params: URLSearchParams, { ids, cots }: Chosen): URLSearchParams =>
  withIds(withIds(params, "ids", ids), "cots", cots);

/** Add a device to its list, or remove it; at most {@link MOST_CHOSEN} are selected. */
export function toggleChosen(chosen: Chosen, kind: "sensor" | "unit", id: string): Chosen {
  const toggle = (list: readonly string[]) =>
    list.includes(id) || countChosen(chosen) < MOST_CHOSEN ? toggled(list, id) : list;
  return kind === "unit" ? { ...chosen, cots: toggle(chosen.cots) } : { ...chosen, ids: toggle(chosen.ids) };
}

export const countChosen = ({ ids, cots }: Chosen): number => ids.length + cots.length;
