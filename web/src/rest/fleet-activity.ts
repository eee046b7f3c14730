import { ActivityHistory } from "@mulkko/shared/rest/fleet";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { RestClient } from "./client.ts";

/**
 * Fetch the heartbeat bars of devices. @param ids the part after `device:` in their keys, at most
 * `MAX_BEAT_IDS`
 */
export function fetchActivity(rest: RestClient, ids: readonly string[]): Promise<ActivityHistory> {
  const query = new URLSearchParams({ ids: ids.join(",") });
  return rest.call({ method: "GET", path: `${relayPath.fleetBeats}?${query}`, answer: ActivityHistory });
}
