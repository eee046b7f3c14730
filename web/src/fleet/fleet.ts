import type { LiveClient } from "../live/live-client.ts";
import { createFleetStore, type FleetStore } from "./fleet-store.ts";
import { createFleetStream } from "./fleet-stream.ts";

/** How long the stream stays subscribed once no page needs it, ms: the next page of the desk finds it warm. */
export const LINGER_MS = 30_000;

/** All accounts' devices, read while somebody looks. */
export interface Fleet {
  readonly store: FleetStore;
  /** Reads the stream until the returned function is called by everybody who wanted it. */
  use(): () => void;
}

export function createFleet({
  connection,
  timers,
  nextFrame,
}: Pick<LiveClient, "connection" | "timers" | "nextFrame">): Fleet {
  const store = createFleetStore(timers);
  let users = 0;
  let leave: (() => void) | null = null;
  let cancelLeaving: (() => void) | null = null;
  return {
    store,
    use() {
      users += 1;
      cancelLeaving?.();
      cancelLeaving = null;
      leave ??= connection.join(createFleetStream(store, nextFrame));
      return () => {
        users -= 1;
        if (users > 0) return;
        cancelLeaving = timers.after(LINGER_MS, () => {
          cancelLeaving = null;
          leave?.();
          leave = null;
          store.clear();
        });
      };
    },
  };
}

/** One fleet for all pages; it lives as long as its client, and so for one account. */
const fleets = new WeakMap<LiveClient, Fleet>();

export function fleetOf(client: LiveClient): Fleet {
  const known = fleets.get(client) ?? createFleet(client);
  fleets.set(client, known);
  return known;
}
