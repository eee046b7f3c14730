import { useMemo } from "react";
import { useRefreshed } from "../../api/use-refreshed.ts";
import { fetchPreview } from "../../api/waterings.ts";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import { NOTHING_KNOWN, nextOfChannels } from "./next-watering.ts";

const CHANNELS = ["channel"] as const;

/** Least interval between requests, ms, for a valve that opens and closes by the minute. */
const REST_MS = 60_000;
/** Reload interval, ms, because time alone changes the plan. */
const ROUND_MS = 60_000;

/** Describe the inputs of the preview as text; a different text requests it again. */
const planInputs = ({ channels }: LiveFarm): string =>
  [...channels].map(([id, { onoff, runUntil }]) => `${id} ${onoff} ${runUntil}`).join();

/** Describe the modes as text: the page that changes them shows what comes next. */
const modesOfAll = ({ channels }: LiveFarm): string =>
  [...channels].map(([id, { modes }]) => `${id} ${JSON.stringify(modes)}`).join();

/** Return the waterings of the next 24 hours on all farms. All parts of the page share one request. */
export function usePreview() {
  const inputs = useLiveSelection(CHANNELS, planInputs);
  const promptInputs = useLiveSelection(CHANNELS, modesOfAll);
  const preview = useRefreshed({
    queryKey: ["preview"],
    ask: (rest, signal) => fetchPreview(rest, null, signal),
    inputs,
    promptInputs,
    restMs: REST_MS,
    roundMs: ROUND_MS,
  });
  const { value } = preview;
  /** Next waterings; empty until they have loaded. */
  const next = useMemo(() => (value ? nextOfChannels(value) : NOTHING_KNOWN), [value]);
  return { ...preview, next };
}
