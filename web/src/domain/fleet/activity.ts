import { ActivityHistory } from "@mulkko/shared/rest/fleet";
import { relayPath } from "@mulkko/shared/rest/routes";
import { systemClock, systemTimers } from "@mulkko/shared/rules/clock";
import { useCallback, useSyncExternalStore } from "react";
import type { RestClient } from "../../api/client.ts";
import { useClient } from "../../api/hooks.ts";
import { type ActivityStore, createActivityStore } from "./activity-store.ts";

/**
 * Fetch the heartbeat bars of devices. @param ids the part after `device:` in their keys, at most
 * `MAX_BEAT_IDS`
 */
function fetchActivity(rest: RestClient, ids: readonly string[]): Promise<ActivityHistory> {
  const query = new URLSearchParams({ ids: ids.join(",") });
  return rest.call({ method: "GET", path: `${relayPath.fleetBeats}?${query}`, answer: ActivityHistory });
}

/** One store for all rows; it lives as long as the client. */
const stores = new WeakMap<RestClient, ActivityStore>();

function storeOf(client: RestClient): ActivityStore {
  const known = stores.get(client);
  if (known) return known;
  const store = createActivityStore({
    fetch: (ids) => fetchActivity(client, ids),
    timers: systemTimers,
    clock: systemClock,
  });
  stores.set(client, store);
  return store;
}

const IN_KEY = "device:".length;

/** Return a device's heartbeats, requested while the component is mounted; undefined while unknown. */
export function useActivity(key: string): string | undefined {
  const store = storeOf(useClient());
  const id = key.slice(IN_KEY);
  const subscribe = useCallback((listener: () => void) => store.subscribe(id, listener), [store, id]);
  return useSyncExternalStore(subscribe, () => store.get(id));
}
