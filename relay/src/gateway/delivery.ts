import type { StreamName } from "@mulkko/shared/live/client-messages";
import type { Clock } from "@mulkko/shared/rules/clock";
import { createUnconfirmedWindow } from "../core/unconfirmed-window.ts";
import type { DoorTally } from "../ports/metrics.ts";
import type { Frame } from "../ports/streams.ts";
import type { Feed } from "./feed.ts";
import type { GatewayLimits } from "./limits.ts";
import type { Outgoing } from "./outgoing.ts";
import type { Wire } from "./wire.ts";

/** What goes out to one session, within its window (SLOW-1). */
export interface Delivery {
  /** When a message was sent last, monotonic ms; a marker is none, as clients do not see it (LIVE-1). */
  sentAt(): number;
  /** When the marker that has been away longest went out, while bytes are unconfirmed (SLOW-2); else null. */
  waitingSince(): number | null;
  /** A message of the session itself: goes out whatever the window says, as such messages are few and small. */
  send(message: Outgoing): void;
  /** A frame for a feed that was started and not stopped. */
  offer(feed: Feed, frame: Frame): void;
  /** Replaces the stream's feed; its catch-up starts at once. */
  start(feed: Feed): void;
  stop(stream: StreamName): void;
  /** A marker that confirms all that has been sent. */
  mark(): void;
  /** A marker came back. @returns false for one that was never sent */
  confirmed(marker: number): boolean;
  close(): void;
}

export function createDelivery(wire: Wire, clock: Clock, limits: GatewayLimits, tally: DoorTally): Delivery {
  const window = createUnconfirmedWindow(limits.windowBytes);
  const feeds = new Map<StreamName, Feed>();
  let sentAt = clock.monotonic();
  let slow = false;

  const mark = (): void => {
    wire.mark(window.mark(clock.monotonic()));
  };

  function send(message: Outgoing): void {
    // Whole ms: a fraction would be a heap object for each frame of each session.
    sentAt = Math.trunc(clock.monotonic());
    window.sent(message.bytes.length);
    wire.send(message);
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
    window.fits(bytes) && wire.bufferedAmount() < limits.windowBytes;

  /** Sends what the feeds have to catch up with, as far as the window goes: two whole parts (SLOW-3). */
  function pump(): void {
    for (const feed of feeds.values()) {
      while (!feed.current()) {
        if (!hasRoom(limits.partBytes)) {
          // The way back into the window is a marker; there is always one out.
          if (window.inFlight() === 0) mark();
          return;
        }
        const message = feed.next();
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
    offer(feed, frame) {
      if (!feed.current()) return;
      const message = feed.take(frame);
      if (message === null) {
        if (!feed.current()) pump();
        return;
      }
      if (hasRoom(message.bytes.length)) {
        send(message);
        feed.advance(frame);
        return;
      }
      feed.fallBehind();
      setSlow(true);
      pump();
    },
    start(feed) {
      feeds.set(feed.stream, feed);
      pump();
    },
    stop(stream) {
      feeds.delete(stream);
    },
    mark,
    confirmed(marker) {
      if (!window.confirm(marker)) return false;
      pump();
      return true;
    },
    close() {
      feeds.clear();
      setSlow(false);
    },
  };
}
