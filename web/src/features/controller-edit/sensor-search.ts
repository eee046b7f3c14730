import { isControllerType, takesSensorType } from "@mulkko/shared/catalogue/controller-types";
import type { SensorValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { byName } from "../../farm/by-name.ts";

/** A sensor that may sit on a channel. */
export interface FoundSensor {
  readonly id: string;
  readonly serial: string;
  readonly name: string;
}

/**
 * Whether a sensor may be chosen for a controller. What a type that nobody knows takes, or one that a foreign farm API
 * does not say, is that API's to judge; other valves are no sensors.
 */
export function maySit(controllerType: string, deviceType: string): boolean {
  return isControllerType(controllerType)
    ? takesSensorType(controllerType, deviceType)
    : deviceType !== "COT";
}

/** The account's sensors that a controller of this type takes, by name. */
export function sensorsFor(
  controllerType: string,
  sensors: ReadonlyMap<string, Pick<SensorValue, "info">>,
): FoundSensor[] {
  return [...sensors]
    .filter(([, { info }]) => maySit(controllerType, info.deviceType))
    .map(([id, { info }]) => ({ id, serial: `${info.serial}`, name: deviceName(info) }))
    .sort(byName);
}

/** Serials that contain the text. */
export function bySerial(sensors: readonly FoundSensor[], text: string): readonly FoundSensor[] {
  return sensors.filter(({ serial }) => serial.includes(text.trim()));
}

/** Names that contain the text, whatever its case. */
export function byNamePart(sensors: readonly FoundSensor[], text: string): readonly FoundSensor[] {
  const part = text.trim().toLocaleLowerCase();
  return sensors.filter(({ name }) => name.toLocaleLowerCase().includes(part));
}
