import type { WaterNow } from "@mulkko/shared/rules/quality";
import { useCallback, useMemo } from "react";
import { waterOf } from "../../domain/watering/water-sum.ts";
import { type LiveFarm, useLinkQuality, useLiveSelection } from "../../live/hooks.ts";

const CHANNELS = ["channel"] as const;

const WATER: readonly WaterNow[] = ["runs", "ran", "none", "unknown"];

/** The water of every channel, by its id; the same map while nothing changes. */
export function useWaterOfChannels(): ReadonlyMap<string, WaterNow> {
  const links = useLinkQuality();
  // As text, which a selection can compare.
  const text = useLiveSelection(
    CHANNELS,
    useCallback(
      ({ channels }: LiveFarm) =>
        [...channels].map(([id, channel]) => `${WATER.indexOf(waterOf(channel, links))}${id}`).join(),
      [links],
    ),
  );
  return useMemo(
    () =>
      new Map(
        (text === "" ? [] : text.split(",")).map((each): [string, WaterNow] => [
          each.slice(1),
          WATER[Number(each[0])] ?? "unknown",
        ]),
      ),
    [text],
  );
}

/** The channels that are open by their last report: `runs` while that report is live. */
export function useOpenChannels(): ReadonlyMap<string, WaterNow> {
  const water = useWaterOfChannels();
  return useMemo(() => new Map([...water].filter(([, each]) => each === "runs" || each === "ran")), [water]);
}
