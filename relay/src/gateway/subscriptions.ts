import type { StreamName, Subscribe } from "@mulkko/shared/live/client-messages";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { Metrics } from "../ports/metrics.ts";
import type { Viewer } from "../ports/owners.ts";
import type { Delivery } from "./delivery.ts";
import { createDevicesFeed } from "./devices-feed.ts";
import { createEventsFeed } from "./events-feed.ts";
import type { GatewayLimits } from "./limits.ts";
import type { SnapshotCache } from "./snapshot-cache.ts";

/** SUB-7: ms between two changes of what a session tracks. */
const TRACK_EVERY_MS = 1_000;

/** The streams that a session has subscribed. */
export interface Subscriptions {
  /** @returns false if tracked keys change too soon; what was subscribed then stays as it is */
  subscribe(message: Subscribe): boolean;
  unsubscribe(stream: StreamName): void;
  close(): void;
}

interface Options {
  readonly viewer: Viewer;
  readonly delivery: Delivery;
  readonly snapshots: SnapshotCache;
  readonly clock: Clock;
  readonly limits: GatewayLimits;
  readonly metrics: Metrics;
}

export function createSubscriptions(options: Options): Subscriptions {
  const { viewer, delivery, snapshots, clock, limits, metrics } = options;
  const unlisten = new Map<StreamName, () => void>();
  const { partBytes, eventPage } = limits;
  let trackedAt = Number.NEGATIVE_INFINITY;

  function unsubscribe(stream: StreamName): void {
    unlisten.get(stream)?.();
    unlisten.delete(stream);
    delivery.stop(stream);
  }

  function mayTrack(): boolean {
    const now = clock.monotonic();
    if (now - trackedAt < TRACK_EVERY_MS) return false;
    trackedAt = now;
    return true;
  }

  return {
    subscribe({ stream, position, track }) {
      if (stream === "events") {
        unsubscribe(stream);
        const { events } = viewer;
        // Nothing is awaited between listening and reading: no gap, no duplicate (SUB-2).
        const feed = createEventsFeed({ stream: events, position, partBytes, page: eventPage });
        unlisten.set(
          stream,
          events.listen((frame) => delivery.offer(feed, frame)),
        );
        delivery.start(feed);
        return true;
      }
      if (track !== undefined && !mayTrack()) return false;
      unsubscribe(stream);
      const { devices } = viewer;
      const keys = track && new Set(track);
      viewer.track(keys);
      const feed = createDevicesFeed({
        stream: devices,
        position,
        keys,
        snapshots,
        partBytes,
        onCatchUp: metrics.caughtUp,
      });
      unlisten.set(
        stream,
        devices.listen((frame) => delivery.offer(feed, frame)),
      );
      delivery.start(feed);
      return true;
    },
    unsubscribe,
    close() {
      for (const stop of unlisten.values()) stop();
      unlisten.clear();
    },
  };
}
