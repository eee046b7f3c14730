import type { Watering } from "@mulkko/shared/live/watering";
import { useCallback, useEffect, useMemo, useState } from "react";
import { type LiveFarm, useIsLive, useLiveSelection, useServerTime } from "../../live/hooks.ts";
import { useRest } from "../../rest/hooks.ts";
import { fetchWateringLog } from "../../rest/logs.ts";
import type { ChartMarks } from "../../ui/chart/chart-model.ts";
import type { LogSource } from "../sources/source.ts";
import { boundsOf, channelOf, joinWaterings } from "./shown-waterings.ts";

const CHANNEL = ["channel"] as const;
const WATERING = ["watering"] as const;

/** A running bar grows this often, ms. */
const GROWS_MS = 10_000;

const sameWaterings = (a: readonly Watering[], b: readonly Watering[]): boolean =>
  a.length === b.length && a.every((one, index) => one === b[index]);
const sameBounds = (a: ChartMarks["bounds"], b: ChartMarks["bounds"]): boolean =>
  a?.lower === b?.lower && a?.upper === b?.upper;

export interface ShownWaterings {
  readonly waterings: readonly Watering[];
  readonly bounds: ChartMarks["bounds"];
  /** ms UTC, as far as a running bar reaches. */
  readonly now: number;
}

const NONE: readonly Watering[] = [];

/**
 * The waterings of the channel on which all of these sources sit, from `from` (ms UTC) on, followed; and the bounds
 * that hold there now.
 *
 * @param sources empty where nothing is to be shown
 */
export function useWaterings(sources: readonly LogSource[], from: number): ShownWaterings {
  const { client } = useRest();
  const live = useIsLive();
  const [asked, setAsked] = useState(NONE);
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
  useEffect(() => {
    setAsked(NONE);
    if (channel === null || !live) return;
    const abort = new AbortController();
    fetchWateringLog(client, { channel, from }, abort.signal)
      .then(({ waterings }) => setAsked(waterings))
      // Bars stand beside a line that is there without them; the next range, or the link's return, asks again.
      .catch(() => undefined);
    return () => abort.abort();
  }, [client, channel, from, live]);
  const waterings = useMemo(() => joinWaterings(asked, own), [asked, own]);
  const now = useServerTime((time) => Math.ceil(time / GROWS_MS) * GROWS_MS);
  return { waterings, bounds, now };
}
