import { Beats } from "@mulkko/shared/rest/fleet";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { RestClient } from "./client.ts";

/** The heartbeat bars of devices. @param ids what follows `device:` in their keys, at most `MAX_BEAT_IDS` */
export function fetchBeats(rest: RestClient, ids: readonly string[]): Promise<Beats> {
  const query = new URLSearchParams({ ids: ids.join(",") });
  return rest.call({ method: "GET", path: `${relayPath.fleetBeats}?${query}`, answer: Beats });
}
