import type { Waterings } from "@mulkko/shared/rest/waterings";
import type { WaterNow } from "@mulkko/shared/rules/quality";
import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { shallow } from "zustand/shallow";
import { type Refreshed, useRefreshed } from "../../api/use-refreshed.ts";
import { fetchWaterings, type WateringsRange } from "../../api/waterings.ts";
import { useInfos } from "../../domain/farm/when-infos-change.ts";
import { channelName } from "../../domain/valve/valve-title.ts";
import { waterOf } from "../../domain/watering/water-sum.ts";
import { type LiveFarm, useLinkQuality, useLiveSelection } from "../../live/hooks.ts";
import { type FarmItem, farmItems } from "./farm-list.ts";

const CHANNELS = ["channel"] as const;

/** Return the water of each channel by id; the same map while nothing changes. */
export function useWaterOfChannels(): ReadonlyMap<string, WaterNow> {
  const links = useLinkQuality();
  return useLiveSelection(
    CHANNELS,
    ({ channels }) => new Map([...channels].map(([id, channel]) => [id, waterOf(channel, links)])),
    shallow,
  );
}

/** Return the channels that are open by their last report: `runs` while that report is live. */
export function useOpenChannels(): ReadonlyMap<string, WaterNow> {
  const water = useWaterOfChannels();
  return useMemo(() => new Map([...water].filter(([, each]) => each === "runs" || each === "ran")), [water]);
}

const WATERINGS = ["watering"] as const;

/** Text that changes with each change of the listed waterings. */
const wateringSign = ({ waterings }: LiveFarm): string =>
  [...waterings]
    .map(([id, { end, litres, moistureAfter }]) => `${id} ${end} ${litres} ${moistureAfter}`)
    .join();

/** Minimum interval between two loads of the list, ms. */
const LIST_REST_MS = 5_000;
/** Interval of a reload without any change, ms: the day may have changed. */
const ROUND_MS = 600_000;

/** Waterings of one page. */
const PAGE = 50;

/** Return the query of a farm's or a channel's waterings; null means all. */
export const wateringsRange = (farm: string | null, channel: string | null): WateringsRange => ({
  ...(farm === null ? {} : { farm }),
  ...(channel === null ? {} : { channel }),
});

/** Load the newest waterings of a farm, a channel or all (null), and the sums of all stored ones. */
export function useWaterings(farm: string | null, channel: string | null): Refreshed<Waterings> {
  return useRefreshed({
    queryKey: ["waterings", farm, channel],
    ask: (rest, signal) => fetchWaterings(rest, { limit: PAGE, ...wateringsRange(farm, channel) }, signal),
    inputs: useLiveSelection(WATERINGS, wateringSign),
    restMs: LIST_REST_MS,
    roundMs: ROUND_MS,
  });
}

const KINDS = ["farm", "sensor", "controller", "channel"] as const;

/**
 * Return all farms with their devices, and the devices without a farm. The list changes only when something
 * is added, removed or renamed.
 */
export function useFarms(): readonly FarmItem[] {
  const { t } = useTranslation("irrigation");
  const noFarm = t("noFarm");
  return useInfos(
    KINDS,
    useCallback((live: LiveFarm) => farmItems(live, noFarm), [noFarm]),
  );
}

/** A channel and its name. */
export interface NamedChannel {
  readonly unitId: string;
  /** The valve's name (NAME-1). */
  readonly name: string;
  readonly number: number;
}

export type ChannelNames = ReadonlyMap<string, NamedChannel>;

const channelsIn = (live: LiveFarm): ChannelNames =>
  new Map(
    [...live.channels].map(([id, channel]) => [
      id,
      { unitId: `${channel.controllerId}`, name: channelName(channel, live), number: channel.number },
    ]),
  );

/** Return the channels by id, with their names. */
export function useChannelNames(): ChannelNames {
  return useInfos(KINDS, channelsIn);
}
