import { takesSensorType } from "@mulkko/shared/catalogue/controller-types";
import type { SensorValue } from "@mulkko/shared/live/devices";
import { byName, deviceName } from "../../farm/device-name.ts";

/** A sensor that may sit on a channel. */
export interface FoundSensor {
  readonly id: string;
  readonly serial: string;
  readonly name: string;
}

/** The account's sensors that a controller of this type takes, by name. */
export function sensorsFor(
  controllerType: string,
  sensors: ReadonlyMap<string, Pick<SensorValue, "info">>,
): FoundSensor[] {
  return [...sensors]
    .filter(([, { info }]) => takesSensorType(controllerType, info.deviceType))
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
