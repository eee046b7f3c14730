import type { StreamName } from "@mulkko/shared/live/client-messages";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { TransportTally } from "../runtime/metrics.ts";
import type { Frame } from "../store/streams.ts";
import type { TransportConnection } from "./connection.ts";
import type { GatewayLimits } from "./limits.ts";
import type { Outgoing } from "./outgoing.ts";
import type { StreamDelivery } from "./stream-delivery.ts";

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

/**
 * Counts the bytes that one session was sent and has not confirmed (SLOW-1). The kernel buffers megabytes
 * before a socket shows a slow reader, so only returned markers prove arrival.
 */
interface UnconfirmedWindow {
  /** Bytes sent since the last confirmed marker. */
  outstanding(): number;
  /** Bytes sent since the last marker went out. */
  unmarked(): number;
  /** Number of markers in flight. */
  inFlight(): number;
  /** When the oldest marker in flight was sent, monotonic ms; null without one. */
  oldestMarkAt(): number | null;
  /** True if the bytes stay within the window; a single larger message fits when nothing is outstanding. */
  fits(bytes: number): boolean;
  sent(bytes: number): void;
  /** Send a marker at `now` (monotonic ms). @returns its number */
  mark(now: number): number;
  /** Confirm everything before a returned marker. @returns false for a number that is not in flight */
  confirm(marker: number): boolean;
}

interface Mark {
  number: number;
  total: number;
  at: number;
}

/** @param windowBytes upper bound of unconfirmed bytes */
export function createUnconfirmedWindow(windowBytes: number): UnconfirmedWindow {
  let total = 0;
  let confirmed = 0;
  let marked = 0;
  let next = 1;
  // Each marker but the first needs bytes sent since, so the window bounds their number.
  let marks: Mark[] = [];
  return {
    // Methods, not getters: V8 turns literals with getters into dictionaries, and every frame calls these.
    outstanding: () => total - confirmed,
    unmarked: () => total - marked,
    inFlight: () => marks.length,
    oldestMarkAt: () => marks[0]?.at ?? null,
    fits: (bytes) => total === confirmed || total - confirmed + bytes <= windowBytes,
    sent(bytes) {
      total += bytes;
    },
    mark(now) {
      marked = total;
      const number = next++;
      marks.push({ number, total, at: now });
      return number;
    },
    confirm(marker) {
      const found = marks.find((mark) => mark.number === marker);
      if (!found) return false;
      confirmed = found.total;
      marks = marks.filter((mark) => mark.number > marker);
      return true;
    },
  };
}
