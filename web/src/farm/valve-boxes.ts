import type { ChannelValue, ControllerValue, SensorValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";
import type { DeviceLink, Quality } from "@mulkko/shared/rules/quality";
import { byName } from "./by-name.ts";
import { channelName } from "./valve-title.ts";

/** A channel with its key's id. */
export interface BoxChannel {
  readonly id: string;
  /** The valve's name (NAME-1); its number stands beside it. */
  readonly name: string;
  readonly value: ChannelValue;
}

/**
 * A thing with valves: a controller, or a sensor of type COT, which is commanded by another call (`form`) but looks
 * the same to a person.
 */
export interface ValveBox {
  readonly id: string;
  readonly form: "controller" | "sensor";
  readonly name: string;
  readonly serial: string;
  /** CON04V, CON04E, CON01W or COT; empty where the API does not say. */
  readonly type: string;
  readonly quality: Quality | null;
  readonly heardAt: string | null;
  readonly rssi: number | null;
  readonly fwversion: string | null;
  /** `lost` while its last will is newer than its last message (CMD-3); null where nothing is known of it. */
  readonly link: DeviceLink | null;
  /** By number. */
  readonly channels: readonly BoxChannel[];
}

interface Devices {
  readonly sensors: ReadonlyMap<string, SensorValue>;
  readonly controllers: ReadonlyMap<string, ControllerValue>;
  readonly channels: ReadonlyMap<string, ChannelValue>;
}

const numberOf = (raw: unknown): number | null => (typeof raw === "number" ? raw : null);
const textOf = (raw: unknown): string | null =>
  typeof raw === "string" || typeof raw === "number" ? `${raw}` : null;

function channelsByOwner(devices: Devices): Map<string, BoxChannel[]> {
  const owners = new Map<string, BoxChannel[]>();
  for (const [id, value] of devices.channels) {
    const list = owners.get(`${value.controllerId}`) ?? [];
    list.push({ id, name: channelName(value, devices), value });
    owners.set(`${value.controllerId}`, list);
  }
  for (const list of owners.values()) list.sort((a, b) => a.value.number - b.value.number);
  return owners;
}

/** Everything with valves, by name. */
export function valveBoxes(devices: Devices): ValveBox[] {
  const owners = channelsByOwner(devices);
  const boxes: ValveBox[] = [];
  for (const [id, { info, quality, rssi, fwversion, heardAt, link }] of devices.controllers) {
    boxes.push({
      id,
      form: "controller",
      name: deviceName(info),
      serial: `${info.serial}`,
      type: info.type ?? "",
      quality,
      heardAt,
      rssi,
      fwversion,
      link,
      channels: owners.get(id) ?? [],
    });
  }
  for (const [id, { info, quality, reading, heardAt }] of devices.sensors) {
    if (info.deviceType !== "COT") continue;
    boxes.push({
      id,
      form: "sensor",
      name: deviceName(info),
      serial: `${info.serial}`,
      type: "COT",
      quality,
      heardAt,
      rssi: numberOf(reading?.rssi),
      fwversion: textOf(reading?.fwversion),
      link: null,
      channels: owners.get(id) ?? [],
    });
  }
  return boxes.sort(byName);
}
