import type { StateStream, StreamName, Subscribe } from "@mulkko/shared/live/client-messages";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { AccountViews, Viewer } from "../account/viewing.ts";
import type { FleetService, FleetViewer } from "../fleet/fleet-service.ts";
import type { Metrics } from "../runtime/metrics.ts";
import { FLEET } from "../store/shard.ts";
import type { DeviceStream, EventStream } from "../store/streams.ts";
import type { Delivery } from "./delivery.ts";
import { createDevicesDelivery } from "./devices-delivery.ts";
import { createEventsDelivery } from "./events-delivery.ts";
import type { GatewayLimits } from "./limits.ts";
import { REFUSED, type Refusal } from "./refused-stream.ts";
import type { SnapshotCache } from "./snapshot-cache.ts";

/** SUB-7: ms between two changes of a session's tracked keys. */
const TRACK_EVERY_MS = 1_000;

/** The streams to which a session has subscribed. */
export interface Subscriptions {
  /**
   * Subscribe.
   * @returns the refusal, or null on success. A refusal leaves the earlier subscription unchanged.
   */
  subscribe(message: Subscribe): Refusal | null;
  unsubscribe(stream: StreamName): void;
  /** Note that the subscribed streams are being watched (POLL-1). */
  active(): void;
  /** Use a fresh token of the same account, which may have another role by now (AUTH-1). */
  renew(token: string, isAdmin: boolean): void;
  close(): void;
}

export interface SubscriptionOptions {
  readonly viewer: Viewer;
  /** Access to streams that are not the account's own. */
  readonly owners: Pick<AccountViews, "viewAs"> & { readonly fleet: Pick<FleetService, "view"> };
  readonly accountId: string;
  readonly token: string;
  readonly isAdmin: boolean;
  /** Access to the fleet for a display without an administrator's token (HS-2). */
  readonly viewFleet?: () => Promise<FleetViewer>;
  readonly delivery: Delivery;
  readonly snapshots: SnapshotCache;
  readonly clock: Clock;
  readonly limits: GatewayLimits;
  readonly metrics: Metrics;
  /** Called when an administrator begins to read another account (HS-2). */
  readonly onReadAs: (accountId: string, stream: StreamName) => void;
  /**
   * Called when another account's stream could not be opened, or was lost; undefined: the role has changed.
   */
  readonly onLost: (stream: StreamName, error: unknown) => void;
}

/** One subscribed stream. */
interface Held {
  /** False for a stream that only an administrator may see. */
  readonly isOwn: boolean;
  renew(token: string): void;
  active(): void;
  stop(): void;
}

const nothing = (): void => undefined;

export function createSubscriptions(options: SubscriptionOptions): Subscriptions {
  const { viewer, owners, delivery, snapshots, clock, limits, metrics, onLost } = options;
  const held = new Map<StreamName, Held>();
  const { partBytes, eventPage } = limits;
  let { token, isAdmin } = options;
  let trackedAt = Number.NEGATIVE_INFINITY;

  function unsubscribe(stream: StreamName): void {
    held.get(stream)?.stop();
    held.delete(stream);
    delivery.stop(stream);
  }

  function mayTrack(): boolean {
    const now = clock.monotonic();
    if (now - trackedAt < TRACK_EVERY_MS) return false;
    trackedAt = now;
    return true;
  }

  // No await between subscribing and reading: no gap, no duplicate (SUB-2).
  function attachEvents(events: EventStream, { position }: Subscribe): () => void {
    const streamDelivery = createEventsDelivery({ stream: events, position, partBytes, page: eventPage });
    const stop = events.listen((frame) => delivery.offer(streamDelivery, frame));
    delivery.start(streamDelivery);
    return stop;
  }
  function attachState(name: StateStream, stream: DeviceStream, { position, track }: Subscribe): () => void {
    const keys = track && new Set(track);
    const onCatchUp = metrics.caughtUp;
    const streamDelivery = createDevicesDelivery({
      name,
      stream,
      position,
      keys,
      snapshots,
      partBytes,
      onCatchUp,
    });
    const stop = stream.listen((frame) => delivery.offer(streamDelivery, frame));
    delivery.start(streamDelivery);
    return stop;
  }
  function attachViewer(one: Viewer, message: Subscribe): () => void {
    if (message.stream === "events") return attachEvents(one.events, message);
    one.track(message.track && new Set(message.track));
    return attachState("devices", one.devices, message);
  }

  /**
   * Hold a stream that has to be opened first. If it is released meanwhile, it is closed as soon as it is
   * open.
   */
  function hold<T extends { renew(token: string): void; active(): void; release(): void }>(
    message: Subscribe,
    fetch: Promise<T>,
    attach: (source: T) => () => void,
  ): void {
    let source: T | undefined;
    let detach = nothing;
    let isWanted = true;
    const { stream } = message;
    const one: Held = {
      isOwn: false,
      renew: (fresh) => source?.renew(fresh),
      active: () => source?.active(),
      stop() {
        isWanted = false;
        detach();
        source?.release();
      },
    };
    held.set(stream, one);
    fetch.then(
      (fetched) => {
        if (!isWanted) {
          fetched.release();
          return;
        }
        source = fetched;
        detach = attach(fetched);
      },
      (error: unknown) => {
        if (!isWanted) return;
        held.delete(stream);
        onLost(stream, error);
      },
    );
  }

  return {
    subscribe(message) {
      const { stream, track, as } = message;
      const other = as === undefined || String(as) === options.accountId ? undefined : String(as);
      const isFleet = stream === "fleet";
      const viewFleet = options.viewFleet ?? (isAdmin ? () => owners.fleet.view(token) : undefined);
      if ((isFleet && !viewFleet) || (other !== undefined && !isAdmin)) return REFUSED.notAdministrator;
      if (other !== undefined && (stream === "fleet" || other === FLEET)) return REFUSED.noSuchStream;
      if (track !== undefined && stream !== "events" && !mayTrack()) return REFUSED.tooSoon;
      unsubscribe(stream);
      if (other !== undefined) {
        options.onReadAs(other, stream);
        hold(message, owners.viewAs(other), (source) => attachViewer(source, message));
      } else if (isFleet && viewFleet) {
        hold(message, viewFleet(), (source) => attachState("fleet", source.stream, message));
      } else
        held.set(stream, {
          isOwn: true,
          renew: nothing,
          active: nothing,
          stop: attachViewer(viewer, message),
        });
      return null;
    },
    unsubscribe,
    active() {
      viewer.active();
      for (const one of held.values()) one.active();
    },
    renew(fresh, mayAdminister) {
      token = fresh;
      isAdmin = mayAdminister;
      for (const [stream, one] of [...held]) {
        if (one.isOwn) continue;
        if (isAdmin) one.renew(fresh);
        else {
          unsubscribe(stream);
          onLost(stream, undefined);
        }
      }
    },
    close() {
      for (const one of held.values()) one.stop();
      held.clear();
    },
  };
}
