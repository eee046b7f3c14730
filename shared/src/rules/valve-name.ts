import { type DeviceLabel, deviceName } from "./device-name.ts";

/** Maximum length of a channel's name. */
export const MAX_VALVE_NAME = 40;

/** Number of sensors in the name of a valve without its own name; the others are counted. */
const SENSOR_NAMES = 2;

export interface ValveNameParts {
  /** The channel's own name; null or absent: not set. */
  readonly name?: string | null | undefined;
  /** The channel's sensors, in the order of the channel. */
  readonly sensors: readonly DeviceLabel[];
  /** Controller or COT sensor of the channel. */
  readonly controller: DeviceLabel;
}

/**
 * Return the name of a valve: its own, else the names of its sensors ("Bed front · Bed back +1"), else the
 * name of its controller. The channel's number is always shown beside it, as a part that never shrinks: a
 * name need not be unique.
 */
export function valveName({ name, sensors, controller }: ValveNameParts): string {
  const own = name?.trim();
  if (own) return own;
  const [first, ...others] = [...new Set(sensors.map(deviceName))];
  if (first === undefined) return deviceName(controller);
  const named = [first, ...others.slice(0, SENSOR_NAMES - 1)].join(" · ");
  const rest = others.length - (SENSOR_NAMES - 1);
  return rest > 0 ? `${named} +${rest}` : named;
}
