import { useLastAnswer, useRestQuery } from "../../api/queries.tsx";
import { useIsLive, useServerNow } from "../../live/hooks.ts";
import { fetchSparklines, SPARKLINES_EVERY_MS, type SparklineSensor, type Sparklines } from "./sparklines.ts";

const NONE: Sparklines = new Map();

/**
 * Return the last 24 hours of each sensor's primary field. A sparkline is decoration beside a live number: if
 * it cannot be loaded, there is none.
 */
export function useSparklines(sensors: readonly SparklineSensor[]): Sparklines {
  const now = useServerNow();
  const live = useIsLive();
  const asked = sensors.map(({ id, deviceType }) => ({ id, deviceType }));
  const { data } = useRestQuery(
    ["sparklines", asked],
    (rest, signal) => fetchSparklines(rest, asked, now(), signal),
    { enabled: live && sensors.length > 0, refetchInterval: SPARKLINES_EVERY_MS },
  );
  // The known ones stay until those of another list have loaded.
  return useLastAnswer(data) ?? NONE;
}
