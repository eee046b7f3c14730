import { useEffect, useState } from "react";
import { useIsLive, useServerNow } from "../live/hooks.ts";
import { fetchHistory } from "../rest/history.ts";
import { useClient } from "../rest/hooks.ts";
import {
  type SparklineSensor,
  type Sparklines,
  sparklineFields,
  sparklinesOf,
  TREND_BUCKETS,
  TREND_HOURS,
} from "./sparklines.ts";

/** Refresh interval of the sparklines, ms; a tenth of a bucket. */
const TREND_REFRESH_MS = 180_000;

/** Maximum number of sensors in one request: their ids must fit in the query. */
const TREND_SENSORS = 80;

const NONE: Sparklines = new Map();

/**
 * Return the last 24 hours of each sensor's primary field, with one request for all. A sparkline is
 * decoration beside a live number: if it cannot be loaded, there is none.
 *
 * @param sensors a list that stays the same object while its members do
 */
export function useSparklines(sensors: readonly SparklineSensor[]): Sparklines {
  const client = useClient();
  const now = useServerNow();
  const live = useIsLive();
  const [trends, setSparklines] = useState(NONE);
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
            fields: sparklineFields(asked),
            from: to - TREND_HOURS * 3_600_000,
            to,
            buckets: TREND_BUCKETS,
          },
          abort.signal,
        );
        setSparklines(sparklinesOf(history, asked));
      } catch {
        // Keep the current sparklines; the next interval tries again.
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
