import type { Unit } from "@mulkko/shared/catalogue/device-type";
import { deviceTypeOf } from "@mulkko/shared/catalogue/registry";
import type { DeviceKey } from "@mulkko/shared/rest/sensor";

/** Port used if the farm API names none. */
const USUAL_PORT = 1883;

/** Plausible measurement in each unit, as the device sends it: vapour pressure deficit in Pa. */
const PLAUSIBLE: Readonly<Record<Unit, number>> = {
  "°C": 21.5,
  "%": 55,
  "dS/m": 1.2,
  "mg/kg": 40,
  "mg/L": 8,
  ppm: 450,
  hPa: 1013,
  "W/m²": 400,
  kPa: 900,
  "°": 180,
  "m/s": 2,
  mm: 5,
  lx: 20_000,
  L: 120,
  "L/min": 12,
  g: 0.1,
  m: 50,
  cm: 30,
  V: 3.6,
  "": 6,
};

/** Report format of a device: the measurements of its type, or the state of a channel. */
export type TriedDevice =
  | { readonly kind: "sensor"; readonly deviceType: string }
  | { readonly kind: "controller"; readonly channel: number };

/** Return the report format of a sensor type. A COT sensor reports by channel, as a controller does. */
export const triedSensor = (deviceType: string): TriedDevice =>
  deviceType === "COT" ? { kind: "controller", channel: 1 } : { kind: "sensor", deviceType };

/** Split a key into groups of four, for reading aloud and comparing. */
export function keyGroups(key: string): readonly string[] {
  return key.match(/.{1,4}/g) ?? [];
}

/** Return an example message of a device, with its topic below the device's own. */
export function firstMessage(device: TriedDevice): { topic: string; body: Readonly<Record<string, number>> } {
  if (device.kind === "controller") return { topic: `ch/${device.channel}/state`, body: { onoff: 2 } };
  const { fields } = deviceTypeOf(device.deviceType);
  return { topic: "up", body: Object.fromEntries(fields.map(({ name, unit }) => [name, PLAUSIBLE[unit]])) };
}

/** Return user, broker and topic of a device, for a firmware's settings. @param pageHost host of the web client */
export function connectionOf(
  { mqtt }: DeviceKey,
  serial: string,
  device: TriedDevice,
  pageHost: string,
): { user: string; broker: string; tls: boolean; topic: string } {
  return {
    user: serial,
    broker: `${mqtt?.host ?? pageHost}:${mqtt?.port ?? USUAL_PORT}`,
    tls: mqtt?.tls ?? false,
    topic: `mulkko/${serial}/${firstMessage(device).topic}`,
  };
}

/**
 * Return the shell command that sends the message with the Mosquitto tools. @param pageHost host of the web
 * client
 */
export function tryLine(
  { deviceKey, mqtt }: DeviceKey,
  serial: string,
  device: TriedDevice,
  pageHost: string,
): string {
  const { topic, body } = firstMessage(device);
  const address = `-h ${mqtt?.host ?? pageHost} -p ${mqtt?.port ?? USUAL_PORT}`;
  const tls = mqtt?.tls ? " --tls-use-os-certs" : "";
  return `mosquitto_pub ${address}${tls} -u ${serial} -P ${deviceKey} -t mulkko/${serial}/${topic} -m '${JSON.stringify(body)}'`;
}
