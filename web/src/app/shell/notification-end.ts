import type { Notification } from "@mulkko/shared/entities/notification";
import type { ControllerValue, SensorValue } from "@mulkko/shared/live/devices";
import { batteryLimits, batteryPercent, signalLimits } from "@mulkko/shared/rules/device-health";
import { deviceNamedIn } from "@mulkko/shared/rules/named-device";
import { readingNumber } from "../../domain/reading/reading.ts";
import type { LiveFarm } from "../../live/hooks.ts";

type Device = Pick<SensorValue, "info" | "reading" | "heardAt"> | ControllerValue;

/** Return the devices of a farm by their keys. */
const devicesOf = ({
  sensors,
  controllers,
}: Pick<LiveFarm, "sensors" | "controllers">): Map<string, Device> =>
  new Map<string, Device>([
    ...[...sensors].map(([id, value]) => [`sensor:${id}`, value] as const),
    ...[...controllers].map(([id, value]) => [`controller:${id}`, value] as const),
  ]);

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
  farm: Pick<LiveFarm, "sensors" | "controllers">,
): boolean {
  const devices = devicesOf(farm);
  const names = [...devices].map(([key, { info }]) => ({
    key,
    name: info.name ?? null,
    serial: `${info.serial ?? ""}`,
  }));
  const device = devices.get(deviceNamedIn(message, names) ?? "");
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
