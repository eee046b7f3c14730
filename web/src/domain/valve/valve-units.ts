import type { ChannelValue, ControllerValue, SensorValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";
import type { DeviceLink, Quality } from "@mulkko/shared/rules/quality";
import { byName } from "../../i18n/by-name.ts";
import { readingNumber } from "../reading/reading.ts";
import { channelName } from "./valve-title.ts";

/** Channel with the id in its key. */
export interface UnitChannel {
  readonly id: string;
  /** The valve's name (NAME-1), shown beside its number. */
  readonly name: string;
  readonly value: ChannelValue;
}

/**
 * Controller, or COT sensor with valves. A COT sensor is commanded by another call (`form`) but looks the
 * same to the user.
 */
export interface ValveUnit {
  readonly id: string;
  readonly form: "controller" | "sensor";
  readonly name: string;
  readonly serial: string;
  /** CON04V, CON04E, CON01W or COT; empty if the API does not report it. */
  readonly type: string;
  readonly quality: Quality | null;
  readonly heardAt: string | null;
  readonly rssi: number | null;
  /** `lost` while its last will is newer than its last message (CMD-3); null if unknown. */
  readonly link: DeviceLink | null;
  /** Ordered by number. */
  readonly channels: readonly UnitChannel[];
}

interface Devices {
  readonly sensors: ReadonlyMap<string, SensorValue>;
  readonly controllers: ReadonlyMap<string, ControllerValue>;
  readonly channels: ReadonlyMap<string, ChannelValue>;
}

function channelsByOwner(devices: Devices): Map<string, UnitChannel[]> {
  const owners = new Map<string, UnitChannel[]>();
  for (const [id, value] of devices.channels) {
    const list = owners.get(`${value.controllerId}`) ?? [];
    list.push({ id, name: channelName(value, devices), value });
    owners.set(`${value.controllerId}`, list);
  }
  for (const list of owners.values()) list.sort((a, b) => a.value.number - b.value.number);
  return owners;
}

/** Return everything that has valves, by name. */
export function valveUnits(devices: Devices): ValveUnit[] {
  const owners = channelsByOwner(devices);
  const partsOf = (
    id: string,
    { info, quality, heardAt }: Pick<SensorValue | ControllerValue, "info" | "quality" | "heardAt">,
  ) => ({
    id,
    name: deviceName(info),
    serial: `${info.serial ?? "--"}`,
    quality,
    heardAt,
    channels: owners.get(id) ?? [],
  });
  const units: ValveUnit[] = [];
  for (const [id, value] of devices.controllers) {
    const { info, rssi, link } = value;
    units.push({ ...partsOf(id, value), form: "controller", type: info.type ?? "", rssi, link });
  }
  for (const [id, value] of devices.sensors) {
    const { info, reading, link = null } = value;
    if (info.deviceType !== "COT") continue;
    units.push({
      ...partsOf(id, value),
      form: "sensor",
      type: "COT",
      rssi: readingNumber(reading, "rssi"),
      link,
    });
  }
  return units.sort(byName);
}
