import type { LiveEvent } from "@mulkko/shared/live/events";
import { createStore, type StoreApi } from "zustand/vanilla";

/** Maximum number of events in the page; older ones are on the server. */
export const EVENTS_KEPT = 200;

/** An event with its position in the stream. */
export interface LoggedEvent {
  readonly offset: number;
  readonly event: LiveEvent;
}

/** State of the bell's log, newest first. `arrived` counts events received while the page was open. */
export interface EventLogState {
  readonly newestFirst: readonly LoggedEvent[];
  readonly arrived: number;
}
export type EventLog = StoreApi<EventLogState>;

export function createEventLog(): EventLog {
  return createStore<EventLogState>(() => ({ newestFirst: [], arrived: 0 }));
}

/** Replace the log by a snapshot, which is ordered oldest first. */
export function replaceEvents(log: EventLog, oldestFirst: readonly LoggedEvent[]): void {
  log.setState({ newestFirst: [...oldestFirst].reverse().slice(0, EVENTS_KEPT) });
}

/** Add one event at the top. */
export function addEvent(log: EventLog, logged: LoggedEvent): void {
  const { newestFirst, arrived } = log.getState();
  log.setState({ newestFirst: [logged, ...newestFirst].slice(0, EVENTS_KEPT), arrived: arrived + 1 });
}
