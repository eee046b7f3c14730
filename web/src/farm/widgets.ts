import type { SensorValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { byName } from "./by-name.ts";

/**
 * The sensors that a person keeps in view, as `id type` by name with commas between: a text, so that a selection
 * can be compared.
 */
export function widgetKeys(sensors: ReadonlyMap<string, SensorValue>): string {
  return [...sensors]
    .filter(([, { info }]) => info.widget === true && info.deviceType !== "COT")
    .map(([id, { info }]) => ({ key: `${id} ${info.deviceType}`, name: deviceName(info) }))
    .sort(byName)
    .map(({ key }) => key)
    .join(",");
}
