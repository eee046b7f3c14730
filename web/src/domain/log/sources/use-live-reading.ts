import type { ChannelValue, LiveReading, SensorValue } from "@mulkko/shared/live/devices";
import { channelKey, sensorKey } from "@mulkko/shared/rules/device-keys";
import { useCallback, useMemo } from "react";
import { type LiveFarm, useLive, useLiveSelection } from "../../../live/hooks.ts";
import { type LogSource, sourceKey } from "./source.ts";

const CHANNEL = ["channel"] as const;

/** Newest reading of a source. */
export interface NewestReading {
  /** The newest value of each field. */
  readonly reading: LiveReading | null;
  /** Those of them that were measured at `at`. */
  readonly measured: LiveReading | null;
  readonly at: string | null;
  /** The source's key in the live stream. */
  readonly key: string;
}

/** Return a channel's state as a reading of its log: valve 1 open, 2 closed, null if unknown. */
export function channelReading({ onoff, moisture }: ChannelValue): LiveReading {
  return { valve: onoff === 0 ? null : onoff, moisture };
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
    const measured = channel ? channelReading(channel) : null;
    return {
      reading: measured,
      measured,
      at: channel?.at ?? null,
      key: channelKey(channelId),
    };
  }, [source.kind, source.id, sensor, channel, channelId]);
}
