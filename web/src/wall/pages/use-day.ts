import { useEffect, useState } from "react";
import { useIsLive, useServerNow } from "../../live/hooks.ts";
import { fetchHistory } from "../../rest/history.ts";
import { useClient } from "../../rest/hooks.ts";
import { type Bucket, bucketsOf } from "../../ui/chart/bucket.ts";

const HOURS = 24;
/** Five minutes each: enough for the width of a wall's line. */
const BUCKETS = 288;
const REFRESH_MS = 60_000;

/** A day of one measurement. `step` is the time between buckets, seconds. */
export interface Day {
  readonly state: "asking" | "there" | "failed";
  readonly buckets: readonly Bucket[];
  readonly step: number;
}

const ASKING: Day = { state: "asking", buckets: [], step: (HOURS * 3600) / BUCKETS };

/** Return the last 24 hours of a measurement, refetched every minute. */
export function useDay(id: string, field: string): Day {
  const client = useClient();
  const now = useServerNow();
  const live = useIsLive();
  const [day, setDay] = useState(ASKING);
  useEffect(() => {
    if (!live) return;
    const abort = new AbortController();
    const ask = async () => {
      const to = now();
      const range = {
        sources: [{ id }],
        fields: [field],
        from: to - HOURS * 3_600_000,
        to,
        buckets: BUCKETS,
      };
      try {
        const { series } = await fetchHistory(client, range, abort.signal);
        const [own] = series;
        if (own) setDay({ state: "there", buckets: bucketsOf(own, field), step: own.step / 1000 });
      } catch {
        // Keep the previous day; without one, show the failure.
        if (!abort.signal.aborted)
          setDay((before) => (before.state === "there" ? before : { ...ASKING, state: "failed" }));
      }
    };
    void ask();
    const timer = setInterval(() => void ask(), REFRESH_MS);
    return () => {
      clearInterval(timer);
      abort.abort();
    };
  }, [client, now, live, id, field]);
  return day;
}
