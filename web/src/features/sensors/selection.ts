import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { type NewestParams, readIds, toggled, withIds } from "../../components/address.ts";
import type { ListedSensor } from "./model.ts";

/** Maximum number of sensors in a comparison: more lines cannot be distinguished. */
export const MOST_COMPARED = 20;

/** Sensors selected for a common chart, in the order of selection. */
export type Selection = readonly string[];

/** Return the selected sensors that still exist. */
export function presentOf(selection: Selection, sensors: readonly ListedSensor[]): ListedSensor[] {
  const byId = new Map(sensors.map((sensor) => [sensor.id, sensor]));
  return selection.flatMap((id) => byId.get(id) ?? []);
}

/** Return true for a sensor that is selected or can be added, whatever it measures. */
export const mayJoin = (chosen: readonly ListedSensor[], sensor: ListedSensor): boolean =>
  chosen.length < MOST_COMPARED || chosen.some(({ id }) => id === sensor.id);

export const CHOSEN = "chosen";

/** Return the unique ids of the selection in an address. */
export const readSelection = (params: URLSearchParams): Selection => readIds(params, CHOSEN, MOST_COMPARED);

/** Return the address with a selection; an empty one leaves no parameter. */
export const writeSelection = (params: URLSearchParams, selection: Selection): URLSearchParams =>
  withIds(params, CHOSEN, selection);

/**
 * Return the address of the selection's charts: one sensor's log, or a comparison.
 *
 * @param end last day, `YYYY-MM-DD`; null for today
 */
export function chartAddress(selection: Selection, end: string | null): string {
  const query = new URLSearchParams();
  if (selection.length === 1) query.set("id", selection[0] ?? "");
  else query.set("ids", selection.join(","));
  if (end !== null) query.set("end", end);
  return `/sensors/type?${query}`;
}

/** Return the selected sensors, and the one whose latest values are shown. */
export function useSelection(sensors: readonly ListedSensor[], { params, change }: NewestParams) {
  const { t } = useTranslation("sensors");
  const select = useCallback(
    (next: (before: Selection) => Selection) =>
      change((before) => writeSelection(before, next(readSelection(before))), { replace: true }),
    [change],
  );
  const chosen = presentOf(readSelection(params), sensors);
  return {
    chosen,
    /** Last selected sensor; null without one. */
    last: chosen.at(-1)?.id ?? null,
    toggle: useCallback((id: string) => select((before) => toggled(before, id)), [select]),
    /** Select only this sensor. */
    choose: useCallback((id: string) => select(() => [id]), [select]),
    clear: () => select(() => []),
    isChosen: (id: string) => chosen.some((sensor) => sensor.id === id),
    /** Return the translated reason why a sensor cannot be selected; null if it can. */
    refused: (sensor: ListedSensor) =>
      mayJoin(chosen, sensor) ? null : t("select.enough", { max: MOST_COMPARED }),
  };
}
