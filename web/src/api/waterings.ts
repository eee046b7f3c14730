import { relayPath } from "@mulkko/shared/rest/routes";
import { WateringPreview, Waterings } from "@mulkko/shared/rest/waterings";
import { get, type RestClient } from "./client.ts";

/** Query of waterings; `from` and `to` are ms since 1970 UTC, `cursor` is the `next` of the previous page. */
export interface WateringsRange {
  readonly farm?: string;
  readonly channel?: string;
  readonly from?: number;
  readonly to?: number;
  readonly limit?: number;
  readonly cursor?: string;
}

/** Fetch a page of waterings, newest first, with the sums of the whole selection. */
export function fetchWaterings(rest: RestClient, range: WateringsRange, signal: AbortSignal) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(range)) {
    if (value === undefined) continue;
    query.set(name, name === "from" || name === "to" ? new Date(value).toISOString() : `${value}`);
  }
  return get(rest, `${relayPath.waterings}?${query}`, Waterings, signal);
}

/** Fetch the waterings expected within 24 hours, on a farm or everywhere. */
export function fetchPreview(rest: RestClient, farm: string | null, signal: AbortSignal) {
  const query = farm === null ? "" : `?${new URLSearchParams({ farm })}`;
  return get(rest, `${relayPath.wateringPreview}${query}`, WateringPreview, signal);
}
