import { useCallback } from "react";
import type { RestClient } from "../../api/client.ts";
import { fetchHistory } from "../../api/history.ts";
import { type Bucket, bucketsOf } from "../../domain/chart/bucket.ts";
import { useIsLive, useServerNow } from "../../live/hooks.ts";
import { usePolled } from "../use-polled.ts";

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
  const now = useServerNow();
  const live = useIsLive();
  const ask = useCallback(
    async (rest: RestClient, signal: AbortSignal): Promise<Day | null> => {
      const to = now();
      const range = {
        sources: [{ id }],
        fields: [field],
        from: to - HOURS * 3_600_000,
        to,
        buckets: BUCKETS,
      };
      const { series } = await fetchHistory(rest, range, signal);
      const [own] = series;
      return own ? { state: "there", buckets: bucketsOf(own, field), step: own.step / 1000 } : null;
    },
    [now, id, field],
  );
  const { value, failed } = usePolled(live ? ask : null, REFRESH_MS);
  return value ?? (failed ? { ...ASKING, state: "failed" } : ASKING);
}
