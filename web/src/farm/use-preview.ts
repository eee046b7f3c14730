import type { WateringPreview } from "@mulkko/shared/rest/waterings";
import { useCallback } from "react";
import { type LiveFarm, useLiveSelection } from "../live/hooks.ts";
import { useRest } from "../rest/hooks.ts";
import { fetchPreview } from "../rest/waterings.ts";
import { type Refreshed, useRefreshed } from "./use-refreshed.ts";

const CHANNELS = ["channel"] as const;

/** A valve that opens and closes by the minute asks for the plan no more often than this, ms. */
const REST_MS = 60_000;
/** Time itself moves the plan, though nothing happens, ms. */
const ROUND_MS = 60_000;

/** What the preview is made of, as text: another one asks for it anew. */
const planSign = ({ channels }: LiveFarm): string =>
  [...channels]
    .map(([id, { onoff, runUntil, modes }]) => `${id} ${onoff} ${runUntil} ${JSON.stringify(modes)}`)
    .join();

/** What waters within 24 hours, on all farms: one question for every part of the page. */
export function usePreview(): Refreshed<WateringPreview> {
  const { client } = useRest();
  const sign = useLiveSelection(CHANNELS, planSign);
  const ask = useCallback((signal: AbortSignal) => fetchPreview(client, null, signal), [client]);
  return useRefreshed({ ask, sign, restMs: REST_MS, roundMs: ROUND_MS });
}
