import { deviceName } from "@mulkko/shared/rules/device-name";
import { byName } from "../../i18n/by-name.ts";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import type { SparklineSensor } from "../reading/sparklines.ts";

const SENSORS = ["sensor.listing"] as const;

/** Return the sensors that the user has put on the dashboard, by name. */
const widgetsIn = ({ sensors }: LiveFarm): readonly SparklineSensor[] =>
  [...sensors]
    .filter(([, { info }]) => info.widget === true && info.deviceType !== "COT")
    .map(([id, { info }]) => ({ id, deviceType: info.deviceType, name: deviceName(info) }))
    .sort(byName)
    .map(({ id, deviceType }) => ({ id, deviceType }));

/**
 * Return the sensors on the user's dashboard, kept up to date. The list stays the same object while its
 * members do.
 */
export function useWidgets(): readonly SparklineSensor[] {
  return useLiveSelection(SENSORS, widgetsIn, (a, b) => JSON.stringify(a) === JSON.stringify(b));
}
