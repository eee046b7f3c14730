import type { GuestStream } from "../live/guest-stream.ts";
import { createStateStream, type NextFrame } from "../live/state-stream.ts";
import type { FleetStore } from "./fleet-store.ts";
import { type FleetEntry, kindOf, parseFleetValue } from "./fleet-values.ts";

/** The `fleet` stream as the connection wants it; every value is checked on its way into the store. */
export function createFleetStream(store: FleetStore, nextFrame: NextFrame): GuestStream {
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
    take(message) {
      const taken = stream.take(message);
      // Behind the flush of what has just come, in the same picture.
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
