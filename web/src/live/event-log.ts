import type { LiveEvent } from "@mulkko/shared/live/events";
import { createStore, type StoreApi } from "zustand/vanilla";

/** Most events that the page keeps; older ones are the server's business. */
export const EVENTS_KEPT = 200;

/** An event with its place in the stream. */
export interface LoggedEvent {
  readonly offset: number;
  readonly event: LiveEvent;
}

/** The bell's log, newest first. `arrived` counts events that came while the page was open. */
export interface EventLogState {
  readonly newestFirst: readonly LoggedEvent[];
  readonly arrived: number;
}
export type EventLog = StoreApi<EventLogState>;

export function createEventLog(): EventLog {
  return createStore<EventLogState>(() => ({ newestFirst: [], arrived: 0 }));
}

/** Replaces the log by a snapshot, which comes oldest first. */
export function replaceEvents(log: EventLog, oldestFirst: readonly LoggedEvent[]): void {
  log.setState({ newestFirst: [...oldestFirst].reverse().slice(0, EVENTS_KEPT) });
}

/** Adds one event at the top. */
export function addEvent(log: EventLog, logged: LoggedEvent): void {
  const { newestFirst, arrived } = log.getState();
  log.setState({ newestFirst: [logged, ...newestFirst].slice(0, EVENTS_KEPT), arrived: arrived + 1 });
}
