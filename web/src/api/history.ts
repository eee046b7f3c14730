import { History } from "@mulkko/shared/rest/history";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { RestClient } from "./client.ts";

/** Query of a chart; `from` and `to` are ms since 1970 UTC. */
export interface HistoryRange {
  /** Sensors, and channels by their number. */
  readonly sources: readonly { readonly id: string; readonly number?: number }[];
  readonly fields: readonly string[];
  readonly from: number;
  readonly to: number;
  /** Number of buckets, at most one per CSS pixel. */
  readonly buckets: number;
}

/** The relay answers after at most 20 s with what it has read; a bad link adds time, ms. */
const HISTORY_TIMEOUT_MS = 45_000;

/** Fetch regular buckets with statistics: the only source of charts. */
export function fetchHistory(rest: RestClient, range: HistoryRange, signal: AbortSignal): Promise<History> {
  const { sources, fields, from, to, buckets } = range;
  const ids = sources.filter(({ number }) => number === undefined).map(({ id }) => id);
  const channels = sources.flatMap(({ id, number }) => (number === undefined ? [] : [`${id}:${number}`]));
  const query = new URLSearchParams({
    ...(ids.length > 0 && { ids: ids.join(",") }),
    ...(channels.length > 0 && { channels: channels.join(",") }),
    fields: fields.join(","),
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    buckets: `${buckets}`,
  });
  return rest.call({
    method: "GET",
    path: `${relayPath.history}?${query}`,
    answer: History,
    signal,
    timeoutMs: HISTORY_TIMEOUT_MS,
  });
}
