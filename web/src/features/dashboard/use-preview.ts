import type { WateringPreview } from "@mulkko/shared/rest/waterings";
import { useCallback, useEffect, useState } from "react";
import { type LiveFarm, useIsLive, useIsStale, useLiveSelection } from "../../live/hooks.ts";
import { useRest } from "../../rest/hooks.ts";
import { fetchPreview } from "../../rest/waterings.ts";

/** How often the plan is asked for while nothing changes, ms: time itself moves it. */
const REFRESH_MS = 60_000;

/** Changes come in flocks: a mode saved is three messages. */
const SETTLE_MS = 1_000;

const KINDS = ["channel"] as const;

/** All that the plan hangs on: modes, what runs and until when. Moisture is not of it. */
const planOf = ({ channels }: LiveFarm): string =>
  [...channels]
    .map(([id, { modes, onoff, runUntil }]) => JSON.stringify([id, modes, onoff, runUntil]))
    .join();

/**
 * What is going to water within 24 hours; `failed` while nothing could be had yet, `unreachable` while there is nobody
 * to ask.
 */
export function usePreview(): WateringPreview | "asking" | "failed" | "unreachable" {
  const { client } = useRest();
  const live = useIsLive();
  const stale = useIsStale();
  const plan = useLiveSelection(KINDS, useCallback(planOf, []));
  const [known, setKnown] = useState<WateringPreview | "asking" | "failed">("asking");
  // biome-ignore lint/correctness/useExhaustiveDependencies: `plan` says when to ask, not what
  useEffect(() => {
    if (!live) return;
    const abort = new AbortController();
    const ask = async () => {
      try {
        setKnown(await fetchPreview(client, null, abort.signal));
      } catch {
        // The plan that stands there stays; the next round asks again.
        if (!abort.signal.aborted) setKnown((before) => (before === "asking" ? "failed" : before));
      }
    };
    const first = setTimeout(() => void ask(), SETTLE_MS);
    const timer = setInterval(() => void ask(), REFRESH_MS);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
      abort.abort();
    };
  }, [client, live, plan]);
  return known === "asking" && stale ? "unreachable" : known;
}
