import type { StateStream } from "@mulkko/shared/live/client-messages";
import type { DeviceStream } from "../store/streams.ts";
import type { Outgoing } from "./outgoing.ts";
import { stateSnapshot } from "./snapshot-parts.ts";

/**
 * Snapshots of whole streams, created once for all requests at the same offset: a thousand screens that
 * reconnect.
 */
export interface SnapshotCache {
  /** Return the parts of the whole stream, with its position. */
  whole(
    name: StateStream,
    stream: DeviceStream,
  ): { epoch: string; offset: number; parts: readonly Outgoing[] };
}

/** Create a cache of one snapshot per stream, for the stream's lifetime. */
export function createSnapshotCache(maxPartBytes: number): SnapshotCache {
  const made = new WeakMap<DeviceStream, { epoch: string; offset: number; parts: Outgoing[] }>();
  return {
    whole(name, stream) {
      const known = made.get(stream);
      if (known && known.epoch === stream.epoch && known.offset === stream.offset) return known;
      const step = stream.changesSince(undefined);
      if (step.kind !== "snapshot") throw new Error("a stream without a position answered no snapshot");
      const fresh = {
        epoch: step.epoch,
        offset: step.offset,
        parts: stateSnapshot(name, step, maxPartBytes),
      };
      made.set(stream, fresh);
      return fresh;
    },
  };
}
