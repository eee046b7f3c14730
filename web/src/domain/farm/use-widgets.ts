import type { SensorValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { useCallback, useMemo } from "react";
import { byName } from "../../i18n/by-name.ts";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import type { SparklineSensor } from "../reading/sparklines.ts";

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

/**
 * Return the sensors on the user's dashboard as `id type` by name, separated by commas. Text makes a
 * selection comparable.
 */
function widgetKeys(sensors: ReadonlyMap<string, SensorValue>): string {
  return [...sensors]
    .filter(([, { info }]) => info.widget === true && info.deviceType !== "COT")
    .map(([id, { info }]) => ({ key: `${id} ${info.deviceType}`, name: deviceName(info) }))
    .sort(byName)
    .map(({ key }) => key)
    .join(",");
}
