import type { Unit } from "@mulkko/shared/catalogue/device-type";
import { deviceTypeOf } from "@mulkko/shared/catalogue/registry";
import type { DeviceKey } from "@mulkko/shared/rest/sensor";

/** Port of a broker that the farm API does not name. */
const USUAL_PORT = 1883;

/** A plausible measurement in each unit, as the device sends it: vapour pressure deficit in Pa. */
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
  "": 6,
};

/** A device as it reports: the measurements of its type, or the state of a channel. */
export type TriedDevice =
  | { readonly kind: "sensor"; readonly deviceType: string }
  | { readonly kind: "controller"; readonly channel: number };

/** Return how a sensor of a type reports; one of type COT reports by channel, as a controller does. */
export const triedSensor = (deviceType: string): TriedDevice =>
  deviceType === "COT" ? { kind: "controller", channel: 1 } : { kind: "sensor", deviceType };

const GROUP = 4;

/** A key in groups of four, as it is read aloud and compared. */
export function keyGroups(key: string): readonly string[] {
  return key.match(new RegExp(`.{1,${GROUP}}`, "g")) ?? [];
}

/** Return the first message of a device, below its own topic. */
export function firstMessage(device: TriedDevice): { topic: string; body: Readonly<Record<string, number>> } {
  if (device.kind === "controller") return { topic: `ch/${device.channel}/state`, body: { onoff: 2 } };
  const { fields } = deviceTypeOf(device.deviceType);
  return { topic: "up", body: Object.fromEntries(fields.map(({ name, unit }) => [name, PLAUSIBLE[unit]])) };
}

/** Return the command that sends it, for a shell with the tools of Mosquitto. @param pageHost of the web client */
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
