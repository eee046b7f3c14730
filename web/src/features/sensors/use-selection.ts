import { useCallback, useEffect, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { useLabels } from "../../i18n/labels.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import type { ListedSensor } from "./model.ts";
import {
  MOST_COMPARED,
  presentOf,
  readSelection,
  refusalOf,
  type Selection,
  toggled,
  writeSelection,
} from "./selection.ts";

/** The sensors that are chosen, and the one whose latest values are looked at. */
export interface SelectionControl {
  readonly chosen: readonly ListedSensor[];
  /** Chosen last; null while none is. */
  readonly last: string | null;
  toggle(id: string): void;
  /** Chooses one alone. */
  choose(id: string): void;
  clear(): void;
  isChosen(id: string): boolean;
  /** Why a sensor cannot join, in words; null if it can. */
  refused(sensor: ListedSensor): string | null;
}

export function useSelection(sensors: readonly ListedSensor[]): SelectionControl {
  const { t } = useTranslation("sensors");
  const { deviceType } = useLabels();
  const [params, setParams] = useSearchParams();
  // A press shows at once; the address follows, so that who comes back finds what they chose.
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
    refused(sensor) {
      const refusal = refusalOf(chosen, sensor);
      if (refusal === null) return null;
      return refusal.why === "family"
        ? t("select.family", { family: deviceType(refusal.family) })
        : t("select.enough", { max: MOST_COMPARED });
    },
  };
}
