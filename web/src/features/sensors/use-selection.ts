import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router-dom";
import type { ListedSensor } from "./model.ts";
import {
  MOST_COMPARED,
  mayJoin,
  presentOf,
  readSelection,
  type Selection,
  toggled,
  writeSelection,
} from "./selection.ts";

/** Selected sensors, and the one whose latest values are shown. */
export interface SelectionControl {
  readonly chosen: readonly ListedSensor[];
  /** Last selected sensor; null without one. */
  readonly last: string | null;
  toggle(id: string): void;
  /** Select only this sensor. */
  choose(id: string): void;
  clear(): void;
  isChosen(id: string): boolean;
  /** Return the translated reason why a sensor cannot be selected; null if it can. */
  refused(sensor: ListedSensor): string | null;
}

export function useSelection(sensors: readonly ListedSensor[]): SelectionControl {
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
    last: chosen.at(-1)?.id ?? null,
    toggle: useCallback((id) => setSelection((before) => toggled(before, id)), []),
    choose: useCallback((id) => setSelection([id]), []),
    clear: useCallback(() => setSelection([]), []),
    isChosen: (id) => chosen.some((sensor) => sensor.id === id),
    refused: (sensor) => (mayJoin(chosen, sensor) ? null : t("select.enough", { max: MOST_COMPARED })),
  };
}
