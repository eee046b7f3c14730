import type { StreamName } from "@mulkko/shared/live/client-messages";
import type { Change, EventMessage, Resumed, Snapshot } from "@mulkko/shared/live/server-messages";
import { addEvent, type EventLog, replaceEvents } from "./event-log.ts";
import { type CaughtUp, createStateStream, type NextFrame, type StreamStep } from "./state-stream.ts";
import type { LiveStore } from "./store.ts";
import { createStreamPosition } from "./stream-position.ts";

/** Streams of the signed-in account. */
export type OwnStream = Exclude<StreamName, "fleet">;

/** Reducer of stream messages into the store and the event log. */
export type Ingest = ReturnType<typeof createIngest>;

/** Create the reducer. The store changes once per frame, whatever the number of messages (`nextFrame`). */
export function createIngest(store: LiveStore, log: EventLog, nextFrame: NextFrame) {
  const caughtUp = createEmitter<CaughtUp>();
  const shownOnce = createEmitter();
  let shown = false;
  let rejected = 0;

  const devices = createStateStream({
    nextFrame,
    flush(keys, copy) {
      rejected += store.applyRaw(keys, copy);
    },
    onCaughtUp: caughtUp.emit,
    onShown() {
      shown = true;
      shownOnce.emit();
    },
  });
  const events = createStreamPosition();

  const applyToLog = (message: Snapshot | Change | EventMessage | Resumed): StreamStep => {
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
    positions: { devices: devices.position, events } satisfies Record<OwnStream, unknown>,
    apply(message: Snapshot | Change | EventMessage | Resumed): StreamStep {
      if (message.t !== "event" && message.stream === "devices") return devices.apply(message);
      // Extra subscriptions handle other streams.
      return message.stream === "events" ? applyToLog(message) : "applied";
    },
    /** Return true once the store holds the whole farm; its flush is a frame after the messages. */
    shown: () => shown,
    /** Call back once, in the task in which the store first holds the whole farm. */
    onShown: shownOnce.subscribe,
    /** Call back when values of some keys were skipped, so that open charts refill (SUB-5). */
    onCaughtUp: caughtUp.subscribe,
    /** Return the number of omitted values that did not match their schema. */
    rejected: () => rejected,
  };
}

/** Create the listeners of one kind of event. */
function createEmitter<T = void>() {
  const listeners = new Set<(event: T) => void>();
  return {
    emit(event: T) {
      for (const listener of [...listeners]) listener(event);
    },
    /** Call back with every event. @returns a function that unsubscribes */
    subscribe(listener: (event: T) => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
