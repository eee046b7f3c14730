import type { ChannelValue, LiveReading } from "@mulkko/shared/live/devices";
import { channelKey, sensorKey } from "@mulkko/shared/live/keys";
import { useCallback, useMemo } from "react";
import { type LiveFarm, useLive, useLiveSelection } from "../../live/hooks.ts";
import { type LogSource, sourceKey } from "./source.ts";

const CHANNEL = ["channel"] as const;

/** The newest of a source: what was measured, and when. */
export interface NewestReading {
  readonly reading: LiveReading | null;
  readonly at: string | null;
  /** The source's key in the live stream. */
  readonly key: string;
}

/** What a channel's state is as a reading of its log: the valve 1 open, 2 closed, null where nobody knows. */
export function channelReading({ onoff, moisture }: ChannelValue): LiveReading {
  return { valve: onoff === 0 ? null : onoff, moisture };
}

/** The id under which a channel lives; empty for a sensor, and for a channel that is not there. */
export function channelIdOf(source: LogSource, { channels }: Pick<LiveFarm, "channels">): string {
  if (source.kind === "sensor") return "";
  for (const [id, { controllerId, number }] of channels) {
    if (number === source.number && `${controllerId}` === source.id) return id;
  }
  return "";
}

/** Follows a source. */
export function useLiveReading(source: LogSource): NewestReading {
  const key = sourceKey(source);
  // The same source may come as a new object with each drawing.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says which source it is
  const select = useCallback((farm: LiveFarm) => channelIdOf(source, farm), [key]);
  const channelId = useLiveSelection(CHANNEL, select);
  const sensor = useLive("sensor", source.kind === "sensor" ? source.id : "");
  const channel = useLive("channel", channelId);
  return useMemo(() => {
    if (source.kind === "sensor") {
      return { reading: sensor?.reading ?? null, at: sensor?.at ?? null, key: sensorKey(source.id) };
    }
    return {
      reading: channel ? channelReading(channel) : null,
      at: channel?.at ?? null,
      key: channelKey(channelId),
    };
  }, [source.kind, source.id, sensor, channel, channelId]);
}
