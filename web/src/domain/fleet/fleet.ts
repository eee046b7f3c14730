import type { Timer } from "@mulkko/shared/rules/clock";
import type { ExtraSubscription } from "../../live/connection.ts";
import type { LiveClient } from "../../live/live-client.ts";
import { createStateStream, type NextFrame } from "../../live/state-stream.ts";
import { createFleetStore, type FleetStore } from "./fleet-store.ts";

/** Create the subscription of the `fleet` stream. Every value is parsed before it enters the store. */
function createFleetStream(store: FleetStore, nextFrame: NextFrame): ExtraSubscription {
  const stream = createStateStream({
    nextFrame,
    flush: (keys, copy) => void store.applyRaw(keys, copy),
  });
  return {
    name: "fleet",
    position: stream.position,
    apply(message) {
      const step = stream.apply(message);
      // Wait for the flush of the received values, in the same frame.
      if (stream.position.synced() && store.status().state !== "here") {
        nextFrame(() => {
          if (stream.position.synced()) store.setStatus({ state: "here" });
        });
      }
      return step;
    },
    refused: ({ code }) => store.setStatus({ state: "refused", code }),
  };
}

/**
 * Milliseconds for which the stream stays subscribed after the last page, so that the next admin page shows
 * at once.
 */
export const LINGER_MS = 30_000;

/** Devices of all accounts, loaded while a page needs them. */
export interface Fleet {
  readonly store: FleetStore;
  /** Subscribe to the stream until every caller has called the returned function. */
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
  let leaving: Timer | null = null;
  return {
    store,
    use() {
      users += 1;
      leaving?.cancel();
      leaving = null;
      leave ??= connection.join(createFleetStream(store, nextFrame));
      return () => {
        users -= 1;
        if (users > 0) return;
        leaving = timers.after(LINGER_MS, () => {
          leaving = null;
          leave?.();
          leave = null;
          store.clear();
        });
      };
    },
  };
}

/** One fleet for all pages; it lives as long as its client, so it belongs to one account. */
const fleets = new WeakMap<LiveClient, Fleet>();

export function fleetOf(client: LiveClient): Fleet {
  const known = fleets.get(client) ?? createFleet(client);
  fleets.set(client, known);
  return known;
}
