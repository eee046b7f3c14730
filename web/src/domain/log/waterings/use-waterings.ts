import type { Watering } from "@mulkko/shared/live/watering";
import { useCallback, useMemo } from "react";
import { fetchWateringLog } from "../../../api/logs.ts";
import { useRestQuery } from "../../../api/queries.tsx";
import { type LiveFarm, useIsLive, useLiveSelection, useServerTime } from "../../../live/hooks.ts";
import type { ChartMarks } from "../../chart/chart-model.ts";
import type { LogSource } from "../sources/source.ts";
import { boundsOf, channelOf, joinWaterings } from "./shown-waterings.ts";

const CHANNEL = ["channel"] as const;
const WATERING = ["watering"] as const;

/** Interval at which a running bar grows, ms. */
const GROWS_MS = 10_000;

const sameWaterings = (a: readonly Watering[], b: readonly Watering[]): boolean =>
  a.length === b.length && a.every((one, index) => one === b[index]);
const sameBounds = (a: ChartMarks["bounds"], b: ChartMarks["bounds"]): boolean =>
  a?.lower === b?.lower && a?.upper === b?.upper;

export interface ShownWaterings {
  readonly waterings: readonly Watering[];
  readonly bounds: ChartMarks["bounds"];
  /** End of a running bar, ms UTC. */
  readonly now: number;
}

const NONE: readonly Watering[] = [];

/**
 * Return the waterings of the common channel of these sources since `from` (ms UTC), kept up to date, and its
 * current bounds.
 *
 * @param sources empty to show nothing
 */
export function useWaterings(sources: readonly LogSource[], from: number): ShownWaterings {
  const live = useIsLive();
  const findChannel = useCallback((farm: LiveFarm) => channelOf(sources, farm), [sources]);
  const channel = useLiveSelection(CHANNEL, findChannel);
  const findBounds = useCallback(
    (farm: LiveFarm) => (channel === null ? null : boundsOf(channel, farm)),
    [channel],
  );
  const bounds = useLiveSelection(CHANNEL, findBounds, sameBounds);
  const findOwn = useCallback(
    ({ waterings }: LiveFarm): readonly Watering[] =>
      channel === null ? NONE : [...waterings.values()].filter(({ channelId }) => channelId === channel),
    [channel],
  );
  const own = useLiveSelection(WATERING, findOwn, sameWaterings);
  // The chart works without bars; the next range or reconnection requests them again.
  const { data } = useRestQuery(
    ["watering-log", channel, from],
    (rest, signal) => fetchWateringLog(rest, { channel: `${channel}`, from }, signal),
    { enabled: live && channel !== null },
  );
  const waterings = useMemo(() => joinWaterings(data?.waterings ?? NONE, own), [data, own]);
  const now = useServerTime((time) => Math.ceil(time / GROWS_MS) * GROWS_MS);
  return { waterings, bounds, now };
}
