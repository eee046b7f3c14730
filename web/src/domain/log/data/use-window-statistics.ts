import type { FieldStatistics } from "@mulkko/shared/rest/log";
import { fetchHistory } from "../../../api/history.ts";
import { pause, useRestQuery } from "../../../api/queries.tsx";
import type { ChartWindow } from "../../chart/chart-model.ts";
import { type LogSource, sourceKey } from "../sources/source.ts";
import { logDataOf } from "./log-data.ts";

/** Delay before the statistics of a window are requested, ms: a drag passes many. */
const SETTLED_MS = 300;
/** Refresh interval of a window that grows, ms. */
const REFRESH_MS = 60_000;

interface WindowQuestion {
  readonly sources: readonly LogSource[];
  readonly fields: readonly string[];
  /** Null while the whole range is in view. */
  readonly window: ChartWindow | null;
  /** Seconds between buckets. */
  readonly step: number;
}

/**
 * Return the statistics over the raw rows of a window, by line (WIN-1); null without a window, and until they
 * are known.
 */
export function useWindowStatistics({
  sources,
  fields,
  window,
  step,
}: WindowQuestion): Readonly<Record<string, FieldStatistics>> | null {
  const { from = 0, to = 0, reachesEnd = false } = window ?? {};
  const buckets = step > 0 ? Math.round((to - from) / step) : 0;
  const { data } = useRestQuery(
    ["log-window", sources.map(sourceKey), fields, from, to],
    async (rest, signal) => {
      await pause(SETTLED_MS, signal);
      const range = { sources, fields, from: from * 1000, to: to * 1000, buckets };
      return logDataOf(await fetchHistory(rest, range, signal), sources, fields);
    },
    { enabled: buckets > 0, ...(reachesEnd && { refetchInterval: REFRESH_MS }) },
  );
  return buckets > 0 ? (data?.statistics ?? null) : null;
}
