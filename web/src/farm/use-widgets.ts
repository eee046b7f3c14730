import { useCallback, useMemo } from "react";
import { type LiveFarm, useLiveSelection } from "../live/hooks.ts";
import type { TrendSensor } from "./trends.ts";
import { widgetKeys } from "./widgets.ts";

const SENSORS = ["sensor.listing"] as const;

/** The sensors that this person keeps in view, by name; the list stays the same while its members do. */
export function useWidgets(): readonly TrendSensor[] {
  const keys = useLiveSelection(
    SENSORS,
    useCallback(({ sensors }: LiveFarm) => widgetKeys(sensors), []),
  );
  return useMemo<TrendSensor[]>(
    () =>
      keys.split(",").flatMap((key) => {
        const [id, deviceType] = key.split(" ");
        return id && deviceType ? [{ id, deviceType }] : [];
      }),
    [keys],
  );
}
