import type { StreamName } from "@mulkko/shared/live/client-messages";
import type { LiveEvent } from "@mulkko/shared/live/events";
import type { Change, EventMessage, Resumed, Snapshot } from "@mulkko/shared/live/server-messages";
import { createStore, type StoreApi } from "zustand/vanilla";
import {
  type CaughtUp,
  createStateStream,
  createStreamPosition,
  type NextFrame,
  type StreamStep,
} from "./state-stream.ts";
import type { LiveStore } from "./store.ts";

/** Maximum number of events in the page; older ones are on the server. */
const EVENTS_KEPT = 200;

/** An event with its position in the stream. */
export interface LoggedEvent {
  readonly offset: number;
  readonly event: LiveEvent;
}

/** State of the bell's log, newest first. `arrived` counts events received while the page was open. */
interface EventLogState {
  readonly newestFirst: readonly LoggedEvent[];
  readonly arrived: number;
}
export type EventLog = StoreApi<EventLogState>;

export function createEventLog(): EventLog {
  return createStore<EventLogState>(() => ({ newestFirst: [], arrived: 0 }));
}

/** Replace the log by a snapshot, which is ordered oldest first. */
function replaceEvents(log: EventLog, oldestFirst: readonly LoggedEvent[]): void {
  log.setState({ newestFirst: [...oldestFirst].reverse().slice(0, EVENTS_KEPT) });
}

/** Add one event at the top. */
export function addEvent(log: EventLog, logged: LoggedEvent): void {
  const { newestFirst, arrived } = log.getState();
  log.setState({ newestFirst: [logged, ...newestFirst].slice(0, EVENTS_KEPT), arrived: arrived + 1 });
}

/** Streams of the signed-in account. */
export type OwnStream = Exclude<StreamName, "fleet">;

/** Reducer of stream messages into the store and the event log. */
export type Ingest = ReturnType<typeof createIngest>;

/** Create the reducer. The store changes once per frame, whatever the number of messages (`nextFrame`). */
export function createIngest(store: LiveStore, log: EventLog, nextFrame: NextFrame) {
  const caughtUp = createEmitter<CaughtUp>();
  const shownOnce = createEmitter();
  const flushed = createEmitter();
  let shown = false;
  let rejected = 0;

  const devices = createStateStream({
    nextFrame,
    flush(keys, copy) {
      rejected += store.applyRaw(keys, copy);
    },
    onCaughtUp: caughtUp.emit,
    onFlushed: flushed.emit,
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
    /** Return true while the store lacks changes that were received: their flush is a frame after them. */
    isBehind: devices.isBehind,
    /** Call back after each flush into the store. */
    onFlushed: flushed.subscribe,
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
