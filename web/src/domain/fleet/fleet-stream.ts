import type { ExtraSubscription } from "../../live/connection.ts";
import { createStateStream, type NextFrame } from "../../live/state-stream.ts";
import type { FleetStore } from "./fleet-store.ts";

/** Create the subscription of the `fleet` stream. Every value is parsed before it enters the store. */
export function createFleetStream(store: FleetStore, nextFrame: NextFrame): ExtraSubscription {
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
