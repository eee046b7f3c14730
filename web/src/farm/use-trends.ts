import { useEffect, useState } from "react";
import { useIsLive, useServerNow } from "../live/hooks.ts";
import { fetchHistory } from "../rest/history.ts";
import { useClient } from "../rest/hooks.ts";
import {
  TREND_BUCKETS,
  TREND_HOURS,
  type TrendSensor,
  type Trends,
  trendFields,
  trendsOf,
} from "./trends.ts";

/** How often the small lines are drawn anew, ms; a tenth of a bucket. */
const TREND_REFRESH_MS = 180_000;

/** Most sensors whose trends are asked for at once: their ids must fit the query. */
const TREND_SENSORS = 80;

const NONE: Trends = new Map();

/**
 * The last 24 hours of each sensor's primary field, by one request for all. A line is decoration around a live
 * number: while it cannot be had, there is none.
 *
 * @param sensors a list that stays the same while its members do
 */
export function useTrends(sensors: readonly TrendSensor[]): Trends {
  const client = useClient();
  const now = useServerNow();
  const live = useIsLive();
  const [trends, setTrends] = useState(NONE);
  useEffect(() => {
    const asked = sensors.slice(0, TREND_SENSORS);
    if (asked.length === 0 || !live) return;
    const abort = new AbortController();
    const ask = async () => {
      const to = now();
      try {
        const history = await fetchHistory(
          client,
          {
            sources: asked.map(({ id }) => ({ id })),
            fields: trendFields(asked),
            from: to - TREND_HOURS * 3_600_000,
            to,
            buckets: TREND_BUCKETS,
          },
          abort.signal,
        );
        setTrends(trendsOf(history, asked));
      } catch {
        // The lines that stand there stay; the next round asks again.
      }
    };
    void ask();
    const timer = setInterval(() => void ask(), TREND_REFRESH_MS);
    return () => {
      clearInterval(timer);
      abort.abort();
    };
  }, [client, now, live, sensors]);
  return trends;
}
