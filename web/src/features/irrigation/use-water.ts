import type { WateringPreview, Waterings } from "@mulkko/shared/rest/waterings";
import { useCallback } from "react";
import { type Refreshed, useRefreshed } from "../../farm/use-refreshed.ts";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import { useRest } from "../../rest/hooks.ts";
import { fetchPreview, fetchWaterings } from "../../rest/waterings.ts";

const CHANNELS = ["channel"] as const;
const WATERINGS = ["watering"] as const;

/** What the preview is made of, as text: another one asks for it anew. */
const planSign = ({ channels }: LiveFarm): string =>
  [...channels]
    .map(([id, { onoff, runUntil, modes }]) => `${id} ${onoff} ${runUntil} ${JSON.stringify(modes)}`)
    .join();

/** What the list of waterings is made of, as text. */
const wateringSign = ({ waterings }: LiveFarm): string =>
  [...waterings]
    .map(([id, { end, litres, moistureAfter }]) => `${id} ${end} ${litres} ${moistureAfter}`)
    .join();

/** A valve that opens and closes by the minute asks for the plan no more often than this, ms. */
const PLAN_REST_MS = 60_000;
const LIST_REST_MS = 5_000;
/** The day goes on though nothing happens, ms. */
const ROUND_MS = 600_000;

/** What waters within 24 hours, on all farms: one question for every part of the page. */
export function usePreview(): Refreshed<WateringPreview> {
  const { client } = useRest();
  const sign = useLiveSelection(CHANNELS, planSign);
  const ask = useCallback((signal: AbortSignal) => fetchPreview(client, null, signal), [client]);
  return useRefreshed({ ask, sign, restMs: PLAN_REST_MS, roundMs: ROUND_MS });
}

/** Waterings of one page. */
const PAGE = 50;

/** The newest waterings of a farm, of a channel or of all (null), and the sums of all that are kept. */
export function useWaterings(farm: string | null, channel: string | null): Refreshed<Waterings> {
  const { client } = useRest();
  const sign = useLiveSelection(WATERINGS, wateringSign);
  const ask = useCallback(
    (signal: AbortSignal) =>
      fetchWaterings(
        client,
        {
          limit: PAGE,
          ...(farm === null ? {} : { farm }),
          ...(channel === null ? {} : { channel }),
        },
        signal,
      ),
    [client, farm, channel],
  );
  return useRefreshed({ ask, sign, restMs: LIST_REST_MS, roundMs: ROUND_MS });
}
