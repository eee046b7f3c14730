import { ActivityHistory } from "@mulkko/shared/rest/fleet";
import { relayPath } from "@mulkko/shared/rest/routes";
import { type Clock, systemClock, systemTimers, type Timer, type Timers } from "@mulkko/shared/rules/clock";
import type { RestClient } from "../../api/client.ts";
import { useClient } from "../../api/hooks.ts";
import { useFollowed } from "../../live/hooks.ts";

/** Devices in one request: their ids make an address short enough for every server. */
export const BEATS_PAGE = 150;
/** Milliseconds to wait, so that rows that scroll past are not requested. */
const GATHER_MS = 150;
/** Age after which a bar is requested again, ms; a slot is half an hour. */
export const BEATS_FRESH_MS = 5 * 60_000;
/** Delay before a failed request is repeated, ms. */
const RETRY_MS = 15_000;
/** Maximum number of cached bars; the oldest without a subscriber are dropped. */
const BARS_KEPT = 3_000;

/** Create the store of the visible devices' heartbeat bars, requested in pages. */
export function createActivityStore(
  fetch: (ids: readonly string[]) => Promise<ActivityHistory>,
  timers: Timers,
  clock: Pick<Clock, "monotonic">,
) {
  const bars = new Map<string, { text: string | undefined; at: number }>();
  const wanted = new Map<string, Set<() => void>>();
  let timer: Timer | null = null;
  let asking = false;

  const isDue = (id: string): boolean => {
    const known = bars.get(id);
    return known === undefined || clock.monotonic() - known.at >= BEATS_FRESH_MS;
  };
  const askIn = (ms: number) => {
    if (asking || timer || wanted.size === 0) return;
    timer = timers.after(ms, () => {
      timer = null;
      void ask();
    });
  };
  const keep = (asked: readonly string[], { beats }: ActivityHistory) => {
    const at = clock.monotonic();
    for (const id of asked) {
      const before = bars.get(id)?.text;
      bars.delete(id);
      bars.set(id, { text: beats[id], at });
      if (beats[id] !== before) for (const listener of [...(wanted.get(id) ?? [])]) listener();
    }
    for (const id of bars.keys()) {
      if (bars.size <= BARS_KEPT) break;
      if (!wanted.has(id)) bars.delete(id);
    }
  };
  const ask = async () => {
    const ids = [...wanted.keys()].filter(isDue).slice(0, BEATS_PAGE);
    if (ids.length === 0) {
      askIn(BEATS_FRESH_MS);
      return;
    }
    asking = true;
    let next = GATHER_MS;
    try {
      keep(ids, await fetch(ids));
    } catch {
      // Keep the current bars; the board works without them.
      next = RETRY_MS;
    }
    asking = false;
    askIn(next);
  };

  return {
    /**
     * Return 96 characters, oldest first, see `Beats`; undefined while unknown. @param id the part after
     * `device:`
     */
    get: (id: string) => bars.get(id)?.text,
    /** Subscribe to a bar, which is requested as long as it has a subscriber. */
    subscribe(id: string, listener: () => void) {
      const set = wanted.get(id) ?? new Set();
      wanted.set(id, set);
      set.add(listener);
      if (isDue(id)) {
        timer?.cancel();
        timer = null;
        askIn(GATHER_MS);
      } else askIn(BEATS_FRESH_MS);
      return () => {
        set.delete(listener);
        if (set.size > 0 || wanted.get(id) !== set) return;
        wanted.delete(id);
        if (wanted.size > 0) return;
        timer?.cancel();
        timer = null;
      };
    },
  };
}

/**
 * Fetch the heartbeat bars of devices. @param ids the part after `device:` in their keys, at most
 * `MAX_BEAT_IDS`
 */
function fetchActivity(rest: RestClient, ids: readonly string[]): Promise<ActivityHistory> {
  const query = new URLSearchParams({ ids: ids.join(",") });
  return rest.call({ method: "GET", path: `${relayPath.fleetBeats}?${query}`, answer: ActivityHistory });
}

/** One store for all rows; it lives as long as the client. */
const stores = new WeakMap<RestClient, ReturnType<typeof createActivityStore>>();

function storeOf(client: RestClient) {
  const known = stores.get(client);
  if (known) return known;
  const store = createActivityStore((ids) => fetchActivity(client, ids), systemTimers, systemClock);
  stores.set(client, store);
  return store;
}

const IN_KEY = "device:".length;

/** Return a device's heartbeats, requested while the component is mounted; undefined while unknown. */
export function useActivity(key: string): string | undefined {
  const id = key.slice(IN_KEY);
  return useFollowed(storeOf(useClient()), id, (store) => store.get(id));
}
