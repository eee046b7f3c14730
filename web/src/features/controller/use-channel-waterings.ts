import { useCallback } from "react";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import { type ChannelWaterings, sameWaterings, wateringsOf } from "./panel-model.ts";

const WATERINGS = ["watering"] as const;

/** Return a channel's waterings, kept up to date. */
export function useChannelWaterings(channelId: string): ChannelWaterings {
  return useLiveSelection(
    WATERINGS,
    useCallback((live: LiveFarm) => wateringsOf(live.waterings.values(), channelId), [channelId]),
    sameWaterings,
  );
}
