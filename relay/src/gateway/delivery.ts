import type { StreamName } from "@mulkko/shared/live/client-messages";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { TransportTally } from "../runtime/metrics.ts";
import type { Frame } from "../store/streams.ts";
import type { TransportConnection } from "./connection.ts";
import type { GatewayLimits } from "./limits.ts";
import type { Outgoing } from "./outgoing.ts";
import type { StreamDelivery } from "./stream-delivery.ts";
import { createUnconfirmedWindow } from "./unconfirmed-window.ts";

/** Sends messages to one session, within its window (SLOW-1). */
export interface Delivery {
  /**
   * Return when a message was sent last, monotonic ms. Markers do not count, because clients do not see them
   * (LIVE-1).
   */
  sentAt(): number;
  /** Return when the oldest unconfirmed marker was sent, or null without unconfirmed bytes (SLOW-2). */
  waitingSince(): number | null;
  /** Send a message of the session itself. It ignores the window, because such messages are few and small. */
  send(message: Outgoing): void;
  /** Offer a frame to a subscription that was started and not stopped. */
  offer(streamDelivery: StreamDelivery, frame: Frame): void;
  /** Replace the stream's subscription; its catch-up starts at once. */
  start(streamDelivery: StreamDelivery): void;
  stop(stream: StreamName): void;
  /** Send a marker that confirms everything sent so far. */
  mark(): void;
  /**
   * Handle the echo of a marker.
   * @returns false for one that was never sent
   */
  confirmed(marker: number): boolean;
  close(): void;
}

export function createDelivery(
  connection: TransportConnection,
  clock: Clock,
  limits: GatewayLimits,
  tally: TransportTally,
): Delivery {
  const window = createUnconfirmedWindow(limits.windowBytes);
  const streamDeliveries = new Map<StreamName, StreamDelivery>();
  let sentAt = clock.monotonic();
  let slow = false;

  const mark = (): void => {
    connection.mark(window.mark(clock.monotonic()));
  };

  function send(message: Outgoing): void {
    // Whole ms: a fraction would be a heap object for each frame of each session.
    sentAt = Math.trunc(clock.monotonic());
    window.sent(message.bytes.length);
    connection.send(message);
    tally.frames += 1;
    tally.bytes += message.bytes.length;
    if (window.unmarked() >= limits.markerBytes) mark();
  }

  const setSlow = (value: boolean): void => {
    if (slow === value) return;
    slow = value;
    tally.slow += value ? 1 : -1;
  };

  const hasRoom = (bytes: number): boolean =>
    window.fits(bytes) && connection.bufferedAmount() < limits.windowBytes;

  /** Send the catch-up of the subscriptions, within the window: two whole parts (SLOW-3). */
  function pump(): void {
    for (const streamDelivery of streamDeliveries.values()) {
      while (!streamDelivery.current()) {
        if (!hasRoom(limits.partBytes)) {
          // Only a marker opens the window again, so one must always be pending.
          if (window.inFlight() === 0) mark();
          return;
        }
        const message = streamDelivery.next();
        if (message === null) break;
        send(message);
        if (window.unmarked() >= limits.partBytes / 2) mark();
      }
    }
    setSlow(false);
  }

  return {
    sentAt: () => sentAt,
    waitingSince: () => (window.outstanding() > 0 ? window.oldestMarkAt() : null),
    send,
    offer(streamDelivery, frame) {
      if (!streamDelivery.current()) return;
      const message = streamDelivery.messageOf(frame);
      if (message === null) {
        if (!streamDelivery.current()) pump();
        return;
      }
      if (hasRoom(message.bytes.length)) {
        send(message);
        streamDelivery.advance(frame);
        return;
      }
      streamDelivery.fallBehind();
      setSlow(true);
      pump();
    },
    start(streamDelivery) {
      streamDeliveries.set(streamDelivery.stream, streamDelivery);
      pump();
    },
    stop(stream) {
      streamDeliveries.delete(stream);
    },
    mark,
    confirmed(marker) {
      if (!window.confirm(marker)) return false;
      pump();
      return true;
    },
    close() {
      streamDeliveries.clear();
      setSlow(false);
    },
  };
}
