/** Kinds of valve controller, and the device types whose sensors may sit on their channels. */
export const CONTROLLER_TYPES = {
  CON04V: { sensorTypes: ["SMS"] },
  CON04E: { sensorTypes: ["LAT", "AT", "ATS02", "ATS03"] },
  CON01W: { sensorTypes: ["WATERLEVEL"] },
} as const satisfies Record<string, { sensorTypes: readonly string[] }>;

export type ControllerType = keyof typeof CONTROLLER_TYPES;
