import type { ExtraSubscription } from "../live/extra-subscription.ts";
import { createStateStream, type NextFrame } from "../live/state-stream.ts";
import type { FleetStore } from "./fleet-store.ts";
import { type FleetEntry, kindOf, parseFleetValue } from "./fleet-values.ts";

/** Create the subscription of the `fleet` stream. Every value is parsed before it enters the store. */
export function createFleetStream(store: FleetStore, nextFrame: NextFrame): ExtraSubscription {
  const stream = createStateStream({
    nextFrame,
    flush(keys, copy) {
      const put: FleetEntry[] = [];
      const remove: string[] = [];
      for (const key of keys) {
        const kind = kindOf(key);
        if (kind === null) continue;
        const raw = copy.get(key);
        const entry = raw === undefined ? null : parseFleetValue(kind, key, raw);
        if (entry) put.push(entry);
        else remove.push(key);
      }
      store.apply({ put, remove });
    },
  });
  return {
    name: "fleet",
    position: stream.position,
    apply(message) {
      const taken = stream.apply(message);
      // Wait for the flush of the received values, in the same frame.
      if (stream.position.synced() && store.status().state !== "here") {
        nextFrame(() => {
          if (stream.position.synced()) store.setStatus({ state: "here" });
        });
      }
      return taken;
    },
    refused: ({ code }) => store.setStatus({ state: "refused", code }),
  };
}
