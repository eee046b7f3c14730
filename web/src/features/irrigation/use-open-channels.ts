import { useMemo } from "react";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";

const CHANNELS = ["channel"] as const;

/** The ids of what is open, as text, which a selection can compare. */
const openIds = ({ channels }: LiveFarm): string =>
  [...channels]
    .filter(([, { onoff }]) => onoff === 1)
    .map(([id]) => id)
    .join();

/** Ids of the channels that are open; the same set while they are the same. */
export function useOpenChannels(): ReadonlySet<string> {
  const ids = useLiveSelection(CHANNELS, openIds);
  return useMemo(() => new Set(ids === "" ? [] : ids.split(",")), [ids]);
}
