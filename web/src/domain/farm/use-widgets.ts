import { useCallback, useMemo } from "react";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import type { SparklineSensor } from "../reading/sparklines.ts";
import { widgetKeys } from "./widgets.ts";

const SENSORS = ["sensor.listing"] as const;

/**
 * Return the sensors that the user has put on the dashboard, by name. The list stays the same object while
 * its members do.
 */
export function useWidgets(): readonly SparklineSensor[] {
  const keys = useLiveSelection(
    SENSORS,
    useCallback(({ sensors }: LiveFarm) => widgetKeys(sensors), []),
  );
  return useMemo<SparklineSensor[]>(
    () =>
      keys.split(",").flatMap((key) => {
        const [id, deviceType] = key.split(" ");
        return id && deviceType ? [{ id, deviceType }] : [];
      }),
    [keys],
  );
}
