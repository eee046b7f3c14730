import type { DeviceType } from "@mulkko/shared/catalogue/device-type";
import { deviceTypeOf } from "@mulkko/shared/catalogue/registry";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { channelName } from "../../farm/valve-title.ts";
import type { LiveFarm } from "../../live/hooks.ts";
import { type LogSource, sourceKey } from "./source.ts";
import { channelIdOf } from "./use-live-reading.ts";

/** A source with what its charts need to know of its device. */
export interface ShownSource {
  readonly source: LogSource;
  readonly key: string;
  /** The device's name, or the valve's (NAME-1), whose number stands beside it. */
  readonly name: string;
  readonly type: DeviceType;
}

/** The type of a channel's log, whatever it is a channel of. */
const CHANNEL_TYPE = "COT";

/** Most sources that one board shows; more cannot be told apart, and their ids would not fit the query. */
export const SHOWN_AT_MOST = 40;

/** The sources that there are, with their devices; what is gone is left out. */
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

/** A type that nobody knows is made of its first reading; from then on it does not change with each one. */
const sameType = (a: DeviceType, b: DeviceType): boolean =>
  a === b || (a.type === b.type && a.fields.length > 0);

/** True where nothing that a board draws has changed. */
export function sameSources(a: readonly ShownSource[], b: readonly ShownSource[]): boolean {
  return (
    a.length === b.length &&
    a.every((one, index) => {
      const other = b[index];
      return other?.key === one.key && other.name === one.name && sameType(one.type, other.type);
    })
  );
}
