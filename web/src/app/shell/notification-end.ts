import type { Notification } from "@mulkko/shared/entities/notification";
import type { ControllerValue, SensorValue } from "@mulkko/shared/live/devices";
import { batteryLimits, batteryPercent, signalLimits } from "@mulkko/shared/rules/device-health";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { deviceNamedIn } from "@mulkko/shared/rules/named-device";
import { readingNumber } from "../../domain/reading/reading.ts";
import type { LiveFarm } from "../../live/hooks.ts";

type Device = Pick<SensorValue, "info" | "reading" | "heardAt"> | ControllerValue;

type Devices = Pick<LiveFarm, "sensors" | "controllers">;

/** Return the devices of a farm by their keys. */
const devicesOf = ({ sensors, controllers }: Devices): Map<string, Device> =>
  new Map<string, Device>([
    ...[...sensors].map(([id, value]) => [`sensor:${id}`, value] as const),
    ...[...controllers].map(([id, value]) => [`controller:${id}`, value] as const),
  ]);

/** Return the key of the device that a text names; null for none, or more than one. */
function keyNamedIn(message: string, devices: ReadonlyMap<string, Device>): string | null {
  const names = [...devices].map(([key, { info }]) => ({
    key,
    name: info.name ?? null,
    serial: `${info.serial ?? ""}`,
  }));
  return deviceNamedIn(message, names);
}

/**
 * Split the text of a notification into the device that it names, for the title, and the rest. Without such a device
 * the name is null and the text is whole.
 */
export function splitNotification(
  message: string,
  farm: Devices,
): { readonly device: string | null; readonly text: string } {
  const devices = devicesOf(farm);
  const device = devices.get(keyNamedIn(message, devices) ?? "");
  if (!device) return { device: null, text: message };
  const name = device.info.name ?? "";
  const rest = name !== "" && message.startsWith(name) ? message.slice(name.length) : "";
  return { device: deviceName(device.info), text: /^\s*[:：]\s*(.+)/s.exec(rest)?.[1] ?? message };
}

const typeOf = ({ info }: Device): string =>
  ("deviceType" in info ? info.deviceType : "type" in info && info.type) || "";
const numberOf = (device: Device, name: string): number | null =>
  "reading" in device ? readingNumber(device.reading, name) : null;
const isFrom = (value: number | null, from: number): boolean => value !== null && value >= from;

/**
 * Return true for a notification whose condition has ended (ALM-2): a notification has no end of its own, and
 * would report in the present tense for ever. The device that its text names decides, by what it has sent
 * since. Without such a device the end is not known.
 *
 * @param created time of the notification, ms UTC
 */
export function isNotificationOver(
  { type, message }: Pick<Notification, "type" | "message">,
  created: number,
  farm: Devices,
): boolean {
  const devices = devicesOf(farm);
  const device = devices.get(keyNamedIn(message, devices) ?? "");
  if (!device || device.heardAt === null || Date.parse(device.heardAt) <= created) return false;
  switch (type) {
    case "DEVICE":
      return true;
    case "BATTERY":
      return isFrom(batteryPercent(numberOf(device, "battery")), batteryLimits(typeOf(device)).endsFrom);
    case "RSSI": {
      const rssi = "rssi" in device ? device.rssi : numberOf(device, "rssi");
      return isFrom(rssi, signalLimits(typeOf(device)).endsFrom);
    }
    default:
      return false;
  }
}
