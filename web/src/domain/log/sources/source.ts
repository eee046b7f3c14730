import type { DeviceType } from "@mulkko/shared/catalogue/device-type";
import { deviceTypeOf, fieldOf } from "@mulkko/shared/catalogue/registry";
import type { LiveReading, SensorValue } from "@mulkko/shared/live/devices";
import { channelKey, sensorKey } from "@mulkko/shared/rules/device-keys";
import { deviceName } from "@mulkko/shared/rules/device-name";
import type { TFunction } from "i18next";
import { useCallback, useMemo } from "react";
import { type LiveFarm, useLive, useLiveSelection } from "../../../live/hooks.ts";
import { channelName } from "../../valve/valve-title.ts";

/** Field of a controller's log with the state of the valve. */
export const VALVE = "valve";

/** Translate a valve's value: 1 open, 2 closed; a value between is the share of time open. */
export function valveWord(value: number | null, t: TFunction<"common">): string {
  if (value === null) return "--";
  const open = 2 - value;
  if (open > 0 && open < 1) return `${t("valve.open")} ${Math.round(open * 100)} %`;
  return t(open === 0 ? "valve.closed" : "valve.open");
}

const CHANNEL = ["channel"] as const;

/** Newest reading of a source. */
interface NewestReading {
  /** The newest value of each field. */
  readonly reading: LiveReading | null;
  /** Those of them that were measured at `at`. */
  readonly measured: LiveReading | null;
  readonly at: string | null;
  /** The source's key in the live stream. */
  readonly key: string;
}

/**
 * Return the id of a channel in the live stream; empty for a sensor and for a channel that does not exist.
 */
export function channelIdOf(source: LogSource, { channels }: Pick<LiveFarm, "channels">): string {
  if (source.kind === "sensor") return "";
  for (const [id, { controllerId, number }] of channels) {
    if (number === source.number && `${controllerId}` === source.id) return id;
  }
  return "";
}

/** Return the fields measured at `at`: fields measured earlier are not new points of a line. */
function measuredAtOnce({ reading, fieldTimes }: SensorValue): LiveReading | null {
  if (!reading || !fieldTimes) return reading;
  return Object.fromEntries(Object.entries(reading).filter(([name]) => fieldTimes[name] === undefined));
}

/** Return the newest reading of a source, kept up to date. */
export function useLiveReading(source: LogSource): NewestReading {
  const key = sourceKey(source);
  // The caller may pass a new object of the same source on each render.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the source
  const select = useCallback((farm: LiveFarm) => channelIdOf(source, farm), [key]);
  const channelId = useLiveSelection(CHANNEL, select);
  const sensor = useLive("sensor", source.kind === "sensor" ? source.id : "");
  const channel = useLive("channel", channelId);
  return useMemo(() => {
    if (source.kind === "sensor") {
      return {
        reading: sensor?.reading ?? null,
        measured: sensor ? measuredAtOnce(sensor) : null,
        at: sensor?.at ?? null,
        key: sensorKey(source.id),
      };
    }
    // A channel's state as a reading of its log: valve 1 open, 2 closed, null if unknown.
    const measured = channel
      ? { valve: channel.onoff === 0 ? null : channel.onoff, moisture: channel.moisture }
      : null;
    return { reading: measured, measured, at: channel?.at ?? null, key: channelKey(channelId) };
  }, [source.kind, source.id, sensor, channel, channelId]);
}

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

/** Source of a log: a sensor, or one channel (by its number) of a COT sensor or controller. */
export type LogSource =
  | { readonly kind: "sensor"; readonly id: string }
  | { readonly kind: "channel"; readonly id: string; readonly number: number };

/** Return the unique key of a source. */
export function sourceKey(source: LogSource): string {
  return source.kind === "sensor" ? source.id : `${source.id}:${source.number}`;
}

/** Return the key of a chart line: a field of a source. */
export function lineId(source: LogSource, field: string): string {
  return `${field} ${sourceKey(source)}`;
}
