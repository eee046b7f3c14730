/** Topics of the bundled API's broker. Devices use their own only; `mulkko/out/#` is for the relay. */
export const topic = {
  up: (serial: string | number) => `mulkko/${serial}/up`,
  status: (serial: string | number) => `mulkko/${serial}/status`,
  channelState: (serial: string | number, number: number) => `mulkko/${serial}/ch/${number}/state`,
  channelCommand: (serial: string | number, number: number, command: string) =>
    `mulkko/${serial}/ch/${number}/cmd/${command}`,
  outSensor: (userId: string | number, sensorId: string | number) =>
    `mulkko/out/${userId}/sensor/${sensorId}`,
  outChannel: (userId: string | number, channelId: string | number) =>
    `mulkko/out/${userId}/channel/${channelId}`,
  outNotification: (userId: string | number) => `mulkko/out/${userId}/noti`,
  outChanged: (userId: string | number) => `mulkko/out/${userId}/changed`,
  outAll: "mulkko/out/#",
} as const;

/** Kinds of a device's messages, by topic. */
export type DeviceTopic =
  | { kind: "up" | "status"; serial: string }
  | { kind: "state"; serial: string; number: number };

/** Parse a device's topic; return null for any other. */
export function parseDeviceTopic(name: string): DeviceTopic | null {
  const match = /^mulkko\/(\d{1,15})\/(?:(up|status)|ch\/([1-8])\/state)$/.exec(name);
  const serial = match?.[1];
  if (!serial) return null;
  if (match[2] === "up" || match[2] === "status") return { kind: match[2], serial };
  return { kind: "state", serial, number: Number(match[3]) };
}

/** Kinds of the API's messages to the relay, by topic. */
export type OutTopic =
  | { kind: "sensor" | "channel"; userId: string; id: string }
  | { kind: "noti" | "changed"; userId: string };

/** Parse an output topic of the API; return null for any other. */
export function parseOutTopic(name: string): OutTopic | null {
  const match = /^mulkko\/out\/([^/]+)\/(?:(noti|changed)|(sensor|channel)\/([^/]+))$/.exec(name);
  const userId = match?.[1];
  if (!userId) return null;
  if (match[2] === "noti" || match[2] === "changed") return { kind: match[2], userId };
  const id = match[4];
  return id && (match[3] === "sensor" || match[3] === "channel") ? { kind: match[3], userId, id } : null;
}
