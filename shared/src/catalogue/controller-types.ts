import { deviceTypeOf } from "./registry.ts";

/** Kinds of valve controller, and the device types whose sensors may sit on their channels. */
export const CONTROLLER_TYPES = {
  CON04V: { sensorTypes: ["SMS"] },
  CON04E: { sensorTypes: ["LAT", "AT", "ATS02", "ATS03"] },
  CON01W: { sensorTypes: ["WATERLEVEL"] },
} as const satisfies Record<string, { sensorTypes: readonly string[] }>;

export type ControllerType = keyof typeof CONTROLLER_TYPES;

/** True for a type that a controller can be registered as. */
export function isControllerType(type: string): type is ControllerType {
  return Object.hasOwn(CONTROLLER_TYPES, type);
}

/** Whether what may sit on its channels measures moisture, which the automatic mode needs; an unknown type may. */
export function measuresMoisture(controllerType: string): boolean {
  if (!isControllerType(controllerType)) return true;
  return CONTROLLER_TYPES[controllerType].sensorTypes.some((type) =>
    deviceTypeOf(type).fields.some(({ name }) => name === "moisture"),
  );
}

/** Whether sensors of a device type may sit on the channels of a controller of this type. */
export function takesSensorType(controllerType: string, deviceType: string): boolean {
  if (!isControllerType(controllerType)) return false;
  const { sensorTypes }: { sensorTypes: readonly string[] } = CONTROLLER_TYPES[controllerType];
  return sensorTypes.includes(deviceType);
}
