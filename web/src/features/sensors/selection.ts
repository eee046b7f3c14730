import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router-dom";
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

/** Search parameter of the selection. */
export const CHOSEN = "chosen";

/** Return the unique ids of the selection in an address. */
export function readSelection(params: URLSearchParams): Selection {
  const ids = (params.get(CHOSEN) ?? "").split(",").filter((id) => id !== "");
  return [...new Set(ids)].slice(0, MOST_COMPARED);
}

/** Write a selection to an address; an empty one leaves no parameter. */
export function writeSelection(params: URLSearchParams, selection: Selection): URLSearchParams {
  const next = new URLSearchParams(params);
  if (selection.length === 0) next.delete(CHOSEN);
  else next.set(CHOSEN, selection.join(","));
  return next;
}

/** Add or remove a sensor. */
export function toggled(selection: Selection, id: string): Selection {
  return selection.includes(id) ? selection.filter((each) => each !== id) : [...selection, id];
}

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
export function useSelection(sensors: readonly ListedSensor[]) {
  const { t } = useTranslation("sensors");
  const [params, setParams] = useSearchParams();
  // Show a click at once. The address follows, so that the selection survives navigation.
  const [selection, setSelection] = useState<Selection>(() => readSelection(params));
  useEffect(() => {
    if (readSelection(params).join() === selection.join()) return;
    setParams(writeSelection(params, selection), { replace: true });
  }, [params, setParams, selection]);
  const chosen = presentOf(selection, sensors);
  return {
    chosen,
    /** Last selected sensor; null without one. */
    last: chosen.at(-1)?.id ?? null,
    toggle: useCallback((id: string) => setSelection((before) => toggled(before, id)), []),
    /** Select only this sensor. */
    choose: useCallback((id: string) => setSelection([id]), []),
    clear: useCallback(() => setSelection([]), []),
    isChosen: (id: string) => chosen.some((sensor) => sensor.id === id),
    /** Return the translated reason why a sensor cannot be selected; null if it can. */
    refused: (sensor: ListedSensor) =>
      mayJoin(chosen, sensor) ? null : t("select.enough", { max: MOST_COMPARED }),
  };
}
