import type { DeviceType } from "@mulkko/shared/catalogue/device-type";
import { deviceTypeOf, fieldOf } from "@mulkko/shared/catalogue/registry";
import { deviceName } from "@mulkko/shared/rules/device-name";
import type { LiveFarm } from "../../../live/hooks.ts";
import { channelName } from "../../valve/valve-title.ts";
import { type LogSource, sourceKey } from "./source.ts";
import { channelIdOf } from "./use-live-reading.ts";

/** Source with the properties of its device that charts need. */
export interface ShownSource {
  readonly source: LogSource;
  readonly key: string;
  /** The device's name, or the valve's (NAME-1), which is shown with its number. */
  readonly name: string;
  readonly type: DeviceType;
}

/** Type of a channel's log, for controllers and COT sensors. */
const CHANNEL_TYPE = "COT";

/**
 * Maximum number of sources on a board: more cannot be distinguished, and their ids would not fit in the
 * query.
 */
export const SHOWN_AT_MOST = 40;

/** Return the existing sources with their devices; deleted ones are left out. */
export function shownSources(sources: readonly LogSource[], farm: LiveFarm): ShownSource[] {
  const shown: ShownSource[] = [];
  for (const source of sources.slice(0, SHOWN_AT_MOST)) {
    const { id, kind } = source;
    const sensor = farm.sensors.get(id);
    const info = kind === "sensor" ? sensor?.info : (sensor?.info ?? farm.controllers.get(id)?.info);
    if (!info) continue;
    const type =
      kind === "sensor" && sensor
        ? deviceTypeOf(sensor.info.deviceType, sensor.reading ?? {})
        : deviceTypeOf(CHANNEL_TYPE);
    const channel = farm.channels.get(channelIdOf(source, farm));
    const name = channel ? channelName(channel, farm) : deviceName(info);
    shown.push({ source, key: sourceKey(source), name, type });
  }
  return shown;
}

const batteryUnit = (type: DeviceType): string => fieldOf(type, "battery").unit;

/** An unknown type is derived from its first reading and does not change with later ones. */
const sameType = (a: DeviceType, b: DeviceType): boolean =>
  a === b || (a.type === b.type && a.fields.length > 0 && batteryUnit(a) === batteryUnit(b));

/** Return true if nothing displayed on a board has changed. */
export function sameSources(a: readonly ShownSource[], b: readonly ShownSource[]): boolean {
  return (
    a.length === b.length &&
    a.every((one, index) => {
      const other = b[index];
      return other?.key === one.key && other.name === one.name && sameType(one.type, other.type);
    })
  );
}
