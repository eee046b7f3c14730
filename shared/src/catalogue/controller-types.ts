import { MAX_CHANNELS } from "../rules/valve.ts";
import { deviceTypeOf } from "./registry.ts";

/** Kinds of valve controller, how many valves each has, and the device types allowed on its channels. */
export const CONTROLLER_TYPES = {
  CON04V: { channels: 4, sensorTypes: ["SMS"] },
  CON04E: { channels: 4, sensorTypes: ["LAT", "AT", "ATS02", "ATS03"] },
  CON01W: { channels: 1, sensorTypes: ["WATERLEVEL"] },
} as const satisfies Record<string, { channels: number; sensorTypes: readonly string[] }>;

export type ControllerType = keyof typeof CONTROLLER_TYPES;

/** Return true for a type that a controller can be registered as. */
export function isControllerType(type: string): type is ControllerType {
  return Object.hasOwn(CONTROLLER_TYPES, type);
}

/** Return how many channels a new controller of this type is offered; an unknown type may have any number. */
export const channelCountOf = (controllerType: string): number =>
  isControllerType(controllerType) ? CONTROLLER_TYPES[controllerType].channels : MAX_CHANNELS;

/**
 * Return true if the devices allowed on its channels measure moisture, which the automatic mode needs. An
 * unknown type may.
 */
export function measuresMoisture(controllerType: string): boolean {
  if (!isControllerType(controllerType)) return true;
  return CONTROLLER_TYPES[controllerType].sensorTypes.some((type) =>
    deviceTypeOf(type).fields.some(({ name }) => name === "moisture"),
  );
}

/** Return true if sensors of a device type are allowed on the channels of a controller of this type. */
export function takesSensorType(controllerType: string, deviceType: string): boolean {
  if (!isControllerType(controllerType)) return false;
  const { sensorTypes }: { sensorTypes: readonly string[] } = CONTROLLER_TYPES[controllerType];
  return sensorTypes.includes(deviceType);
}
