import type { StreamName } from "@mulkko/shared/live/client-messages";
import type { Change, EventMessage, Resumed, Snapshot } from "@mulkko/shared/live/server-messages";
import { addEvent, type EventLog, replaceEvents } from "./event-log.ts";
import { type CaughtUp, createStateStream, type NextFrame, type Taken } from "./state-stream.ts";
import type { LiveStore } from "./store.ts";
import { createStreamPosition, type StreamPosition } from "./stream-position.ts";
import { type LiveEntry, parseValue, splitKey } from "./values.ts";

/** The streams of the account that is signed in. */
export type OwnStream = Exclude<StreamName, "fleet">;

/** Turns messages of the streams into the store and the event log. */
export interface Ingest {
  readonly positions: Readonly<Record<OwnStream, StreamPosition>>;
  take(message: Snapshot | Change | EventMessage | Resumed): Taken;
  /** True once the store holds all of the farm; its flush comes a picture after the messages. */
  shown(): boolean;
  /** Called once, in the task in which the store has come to hold all of the farm. */
  onShown(listener: () => void): () => void;
  /** Called when values of some keys were skipped, so that open charts refill (SUB-5). */
  onCaughtUp(listener: (keys: CaughtUp) => void): () => void;
  /** Values that did not fit their schema and were left out. */
  rejected(): number;
}

/** The store that screens read moves once per picture, however many messages came (`nextFrame`). */
export function createIngest(store: LiveStore, log: EventLog, nextFrame: NextFrame): Ingest {
  const listeners = new Set<(keys: CaughtUp) => void>();
  const shownListeners = new Set<() => void>();
  let shown = false;
  let rejected = 0;

  const devices = createStateStream({
    nextFrame,
    flush(keys, copy) {
      const put: LiveEntry[] = [];
      const remove: string[] = [];
      for (const key of keys) {
        const part = splitKey(key);
        if (!part) continue;
        const raw = copy.get(key);
        const entry =
          raw === undefined ? null : parseValue(part.kind, part.id, raw, store.get(part.kind, part.id));
        if (entry) put.push(entry);
        else remove.push(key);
        if (raw !== undefined && !entry) rejected += 1;
      }
      store.apply({ put, remove });
    },
    onCaughtUp(keys) {
      for (const listener of [...listeners]) listener(keys);
    },
    onShown() {
      shown = true;
      for (const listener of [...shownListeners]) listener();
    },
  });
  const events = createStreamPosition();

  const takeOfLog = (message: Snapshot | Change | EventMessage | Resumed): Taken => {
    switch (message.t) {
      case "snapshot":
        events.snapshot(message);
        if (Array.isArray(message.state)) replaceEvents(log, message.state);
        return "applied";
      case "event": {
        const verdict = events.event(message.offset);
        if (verdict === "apply") addEvent(log, message);
        return verdict === "gap" ? "resubscribe" : "applied";
      }
      case "resumed":
        events.resumed(message);
        return "applied";
      case "change":
        // A log has no values that change.
        return "applied";
    }
  };

  return {
    positions: { devices: devices.position, events },
    take(message) {
      if (message.t !== "event" && message.stream === "devices") return devices.take(message);
      // Other streams are their guests' affair.
      return message.stream === "events" ? takeOfLog(message) : "applied";
    },
    shown: () => shown,
    onShown(listener) {
      shownListeners.add(listener);
      return () => shownListeners.delete(listener);
    },
    onCaughtUp(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    rejected: () => rejected,
  };
}
