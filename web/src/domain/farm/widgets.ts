import type { SensorValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { byName } from "../../i18n/by-name.ts";

/**
 * Return the sensors on the user's dashboard as `id type` by name, separated by commas. Text makes a
 * selection comparable.
 */
export function widgetKeys(sensors: ReadonlyMap<string, SensorValue>): string {
  return [...sensors]
    .filter(([, { info }]) => info.widget === true && info.deviceType !== "COT")
    .map(([id, { info }]) => ({ key: `${id} ${info.deviceType}`, name: deviceName(info) }))
    .sort(byName)
    .map(({ key }) => key)
    .join(",");
}
