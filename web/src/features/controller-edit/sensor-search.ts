import { isControllerType, takesSensorType } from "@mulkko/shared/catalogue/controller-types";
import type { ChannelValue, ControllerValue, SensorValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { byName } from "../../i18n/by-name.ts";

/** Sensor that can be assigned to a channel. */
export interface FoundSensor {
  readonly id: string;
  readonly serial: string;
  readonly name: string;
}

/**
 * Return true if a sensor can be assigned to a controller. The farm API decides for unknown and missing
 * types. COT units are not sensors.
 */
export function maySit(controllerType: string, deviceType: string): boolean {
  return isControllerType(controllerType)
    ? takesSensorType(controllerType, deviceType)
    : deviceType !== "COT";
}

/** Return the account's sensors that a controller of this type accepts, by name. */
export function sensorsFor(
  controllerType: string,
  sensors: ReadonlyMap<string, Pick<SensorValue, "info">>,
): FoundSensor[] {
  return [...sensors]
    .filter(([, { info }]) => maySit(controllerType, info.deviceType))
    .map(([id, { info }]) => ({ id, serial: `${info.serial ?? "--"}`, name: deviceName(info) }))
    .sort(byName);
}

/** Return the sensors whose serial contains the text. */
export function bySerial<Sensor extends FoundSensor>(
  sensors: readonly Sensor[],
  text: string,
): readonly Sensor[] {
  return sensors.filter(({ serial }) => serial.includes(text.trim()));
}

/** Return the sensors whose name contains the text, in any case. */
export function byNamePart<Sensor extends FoundSensor>(
  sensors: readonly Sensor[],
  text: string,
): readonly Sensor[] {
  const part = text.trim().toLocaleLowerCase();
  return sensors.filter(({ name }) => name.toLocaleLowerCase().includes(part));
}

/** Channel to which a sensor is assigned. */
export interface Assignment {
  readonly controllerId: string;
  readonly controller: string;
  readonly number: number;
}

/**
 * Return the current channel of each sensor of the account; the first one for a sensor of several channels.
 */
export function assignmentsOf(
  controllers: ReadonlyMap<string, Pick<ControllerValue, "info">>,
  channels: ReadonlyMap<string, Pick<ChannelValue, "controllerId" | "number" | "sensorIds">>,
): ReadonlyMap<string, Assignment> {
  const assignments = new Map<string, Assignment>();
  const ordered = [...channels.values()].sort((a, b) => a.number - b.number);
  for (const { controllerId, number, sensorIds } of ordered) {
    const owner = controllers.get(`${controllerId}`);
    if (!owner) continue;
    for (const id of sensorIds) {
      if (assignments.has(`${id}`)) continue;
      assignments.set(`${id}`, {
        controllerId: `${controllerId}`,
        controller: deviceName(owner.info),
        number,
      });
    }
  }
  return assignments;
}
