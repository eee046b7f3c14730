import type { StateStream, StreamName, Subscribe } from "@mulkko/shared/live/client-messages";
import type { ErrorCode } from "@mulkko/shared/rest/errors";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { Viewer } from "../account/viewing.ts";
import { StoreUnavailableError } from "../store/errors.ts";
import { FLEET } from "../store/shard.ts";
import type { DeviceStream, EventStream } from "../store/streams.ts";
import { NoAccessError } from "../upstream/errors.ts";
import type { Client } from "./access.ts";
import type { Delivery } from "./delivery.ts";
import type { StreamDeliveries, StreamDelivery } from "./stream-delivery.ts";

/** The `error` for a stream that a client does not get. Its session continues. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly temporary: boolean;
}

const refusal = (code: ErrorCode, message: string, temporary: boolean): Refusal => ({
  code,
  message,
  temporary,
});

const REFUSED = {
  tooSoon: refusal("too-many-requests", "tracked keys change at most once a second", true),
  notAdministrator: refusal("forbidden", "for administrators only", false),
  noSuchStream: refusal("not-found", "another account has no such stream", false),
} as const;

/** Return the refusal of a stream that could not be opened. */
function lostStream(error: unknown): Refusal {
  if (error instanceof NoAccessError) return refusal("forbidden", "the farm API refuses access to it", true);
  if (error instanceof StoreUnavailableError)
    return refusal("store-down", "the relay's store is unavailable", true);
  return refusal("upstream-down", "it is unavailable at present", true);
}

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
  renew(client: Client): void;
  close(): void;
}

export interface SubscriptionDeps {
  readonly session: string;
  readonly client: Client;
  readonly viewer: Viewer;
  readonly delivery: Delivery;
  readonly deliveries: StreamDeliveries;
  readonly clock: Clock;
  /** Called when another account's stream could not be opened, or was lost. */
  readonly onLost: (stream: StreamName, refusal: Refusal, error?: unknown) => void;
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

export function createSubscriptions(deps: SubscriptionDeps): Subscriptions {
  const { session, viewer, delivery, deliveries, clock, onLost } = deps;
  const held = new Map<StreamName, Held>();
  let { client } = deps;
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
  function attach(stream: DeviceStream | EventStream, streamDelivery: StreamDelivery): () => void {
    const stop = stream.listen((frame) => delivery.offer(streamDelivery, frame));
    delivery.start(streamDelivery);
    return stop;
  }
  function attachState(name: StateStream, stream: DeviceStream, message: Subscribe): () => void {
    return attach(stream, deliveries.state(name, stream, message));
  }
  function attachViewer(one: Viewer, message: Subscribe): () => void {
    if (message.stream === "events") return attach(one.events, deliveries.events(one.events, message));
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
        onLost(stream, lostStream(error), error);
      },
    );
  }

  return {
    subscribe(message) {
      const { stream, track, as } = message;
      const own = client.proven.accountId;
      const other = as === undefined || String(as) === own ? undefined : String(as);
      const isFleet = stream === "fleet";
      if ((isFleet && !client.mayFleet) || (other !== undefined && !client.isAdministrator))
        return REFUSED.notAdministrator;
      if (other !== undefined && (isFleet || other === FLEET)) return REFUSED.noSuchStream;
      if (track !== undefined && stream !== "events" && !mayTrack()) return REFUSED.tooSoon;
      unsubscribe(stream);
      if (other !== undefined) {
        const fetch = client.viewAs(other, { stream, session });
        hold(message, fetch, (source) => attachViewer(source, message));
      } else if (isFleet) {
        hold(message, client.fleet(), (source) => attachState("fleet", source.stream, message));
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
    renew(fresh) {
      client = fresh;
      for (const [stream, one] of [...held]) {
        if (one.isOwn) continue;
        if (client.isAdministrator) one.renew(client.bearer);
        else {
          unsubscribe(stream);
          onLost(stream, REFUSED.notAdministrator);
        }
      }
    },
    close() {
      for (const one of held.values()) one.stop();
      held.clear();
    },
  };
}
