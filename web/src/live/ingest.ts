import type { StreamName } from "@mulkko/shared/live/client-messages";
import type { Change, EventMessage, Resumed, Snapshot } from "@mulkko/shared/live/server-messages";
import { addEvent, type EventLog, replaceEvents } from "./event-log.ts";
import { type CaughtUp, createStateStream, type NextFrame, type Taken } from "./state-stream.ts";
import type { LiveStore } from "./store.ts";
import { createStreamPosition, type StreamPosition } from "./stream-position.ts";
import { type LiveEntry, parseValue, splitKey } from "./values.ts";

/** Streams of the signed-in account. */
export type OwnStream = Exclude<StreamName, "fleet">;

/** Reducer of stream messages into the store and the event log. */
export interface Ingest {
  readonly positions: Readonly<Record<OwnStream, StreamPosition>>;
  apply(message: Snapshot | Change | EventMessage | Resumed): Taken;
  /** Return true once the store holds the whole farm; its flush is a frame after the messages. */
  shown(): boolean;
  /** Call back once, in the task in which the store first holds the whole farm. */
  onShown(listener: () => void): () => void;
  /** Call back when values of some keys were skipped, so that open charts refill (SUB-5). */
  onCaughtUp(listener: (keys: CaughtUp) => void): () => void;
  /** Return the number of omitted values that did not match their schema. */
  rejected(): number;
}

/** Create the reducer. The store changes once per frame, whatever the number of messages (`nextFrame`). */
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
        // A log has no changing values.
        return "applied";
    }
  };

  return {
    positions: { devices: devices.position, events },
    apply(message) {
      if (message.t !== "event" && message.stream === "devices") return devices.apply(message);
      // Extra subscriptions handle other streams.
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
