import type { StateStream } from "@mulkko/shared/live/client-messages";
import type { DeviceStream } from "../ports/streams.ts";
import type { Outgoing } from "./outgoing.ts";
import { stateSnapshot } from "./snapshot-parts.ts";

/** Snapshots of whole streams, made once for all who ask at the same offset: a thousand screens that come back. */
export interface SnapshotCache {
  /** The parts of the whole stream as it stands, with its position. */
  whole(
    name: StateStream,
    stream: DeviceStream,
  ): { epoch: string; offset: number; parts: readonly Outgoing[] };
}

/** Holds one snapshot per stream, as long as the stream lives. */
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
