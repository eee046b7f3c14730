import { History } from "@mulkko/shared/rest/history";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { RestClient } from "./client.ts";

/** What a chart asks for; `from` and `to` are ms since 1970 UTC. */
export interface HistoryRange {
  readonly ids: readonly string[];
  readonly fields: readonly string[];
  readonly from: number;
  readonly to: number;
  /** At most one per CSS pixel. */
  readonly buckets: number;
}

/** Regular buckets with statistics: the only source of charts. */
export function fetchHistory(rest: RestClient, range: HistoryRange, signal: AbortSignal): Promise<History> {
  const query = new URLSearchParams({
    ids: range.ids.join(","),
    fields: range.fields.join(","),
    from: new Date(range.from).toISOString(),
    to: new Date(range.to).toISOString(),
    buckets: `${range.buckets}`,
  });
  return rest.call({ method: "GET", path: `${relayPath.history}?${query}`, answer: History, signal });
}
