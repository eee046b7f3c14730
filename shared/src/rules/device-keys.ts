/** A key of the `devices` stream, taken apart. */
export type DeviceKey =
  | { kind: "farm" | "sensor" | "controller" | "alarm" | "watering"; id: string }
  | { kind: "channel"; id: string; number?: number };

export const farmKey = (id: string | number): string => `farm:${id}`;
export const sensorKey = (id: string | number): string => `sensor:${id}`;
export const controllerKey = (id: string | number): string => `controller:${id}`;
export const alarmKey = (id: string): string => `alarm:${id}`;
export const channelKey = (id: string | number): string => `channel:${id}`;

/** Parse the id of a channel key; the inverse of `channelKey`. */
export const channelIdOf = (key: string): string => key.slice("channel:".length);

/** A COT sensor's channel, which has no id of its own. */
export const cotChannelKey = (sensorId: string | number, number: number): string =>
  `channel:${sensorId}:${number}`;

/** True for the key of a sensor or of a controller. */
export const isDeviceKey = (key: string): boolean =>
  key.startsWith("sensor:") || key.startsWith("controller:");

const KINDS = ["farm", "sensor", "controller", "alarm", "watering"] as const;

/** Parse a key; return null for text that is no key. */
export function parseDeviceKey(key: string): DeviceKey | null {
  const colon = key.indexOf(":");
  if (colon < 1 || colon === key.length - 1) return null;
  const kind = key.slice(0, colon);
  const id = key.slice(colon + 1);
  const plain = KINDS.find((known) => known === kind);
  if (plain) return { kind: plain, id };
  if (kind !== "channel") return null;
  const parts = /^(.+):(\d{1,2})$/.exec(id);
  return parts?.[1] ? { kind: "channel", id: parts[1], number: Number(parts[2]) } : { kind: "channel", id };
}
