import { applyChange, type StateCopy } from "@mulkko/shared/live/apply-change";
import type { StreamName } from "@mulkko/shared/live/client-messages";
import type { Change, EventMessage, Resumed, Snapshot } from "@mulkko/shared/live/server-messages";
import { addEvent, type EventLog, type LoggedEvent, replaceEvents } from "./event-log.ts";
import type { LiveStore } from "./store.ts";
import { createStreamPosition, type StreamPosition } from "./stream-position.ts";
import { type LiveEntry, parseValue, splitKey } from "./values.ts";

/** Runs a flush with the next picture; the browser's `requestAnimationFrame`. */
export type NextFrame = (flush: () => void) => void;

/** Keys whose past may have a hole after a catch-up (SUB-5); `all` after a snapshot. */
export type CaughtUp = ReadonlySet<string> | "all";

/** The streams of the account that is signed in. */
export type OwnStream = Exclude<StreamName, "fleet">;

/** What a message of a stream asks of the connection. */
export type Taken = "applied" | "resubscribe";

/** Turns messages of the streams into the store and the event log. */
export interface Ingest {
  readonly positions: Readonly<Record<OwnStream, StreamPosition>>;
  take(message: Snapshot | Change | EventMessage | Resumed): Taken;
  /** Called when values of some keys were skipped, so that open charts refill (SUB-5). */
  onCaughtUp(listener: (keys: CaughtUp) => void): () => void;
  /** Values that did not fit their schema and were left out. */
  rejected(): number;
}

/**
 * The raw copy moves at once with each message, so that it always agrees with its position; the store that
 * screens read moves once per picture, however many messages came (`nextFrame`).
 */
export function createIngest(store: LiveStore, log: EventLog, nextFrame: NextFrame): Ingest {
  const copy: StateCopy = new Map();
  const positions = { devices: createStreamPosition(), events: createStreamPosition() };
  const listeners = new Set<(keys: CaughtUp) => void>();
  const dirty = new Set<string>();
  /** Keys of the running snapshot: what none of its parts held is gone. */
  const inSnapshot = new Set<string>();
  let flushAsked = false;
  let rejected = 0;

  const flush = () => {
    flushAsked = false;
    const put: LiveEntry[] = [];
    const remove: string[] = [];
    for (const key of dirty) {
      const part = splitKey(key);
      if (!part) continue;
      const raw = copy.get(key);
      const entry = raw === undefined ? null : parseValue(part.kind, part.id, raw);
      if (entry) put.push(entry);
      else remove.push(key);
      if (raw !== undefined && !entry) rejected += 1;
    }
    dirty.clear();
    store.apply({ put, remove });
  };
  const touch = (keys: Iterable<string>) => {
    for (const key of keys) dirty.add(key);
    if (flushAsked || dirty.size === 0) return;
    flushAsked = true;
    nextFrame(flush);
  };
  const tell = (keys: CaughtUp) => {
    for (const listener of [...listeners]) listener(keys);
  };

  const takeDevices = (snapshot: Snapshot, state: Readonly<Record<string, Record<string, unknown>>>) => {
    if (snapshot.part === 1) inSnapshot.clear();
    for (const [key, value] of Object.entries(state)) {
      inSnapshot.add(key);
      copy.set(key, value);
    }
    touch(Object.keys(state));
    if (snapshot.part < snapshot.of) return;
    // Swept at the end, not emptied at the start: on a slow link the page would stand empty between the parts.
    const gone = [...copy.keys()].filter((key) => !inSnapshot.has(key));
    for (const key of gone) copy.delete(key);
    touch(gone);
    inSnapshot.clear();
    tell("all");
  };
  const takeEvents = (state: readonly LoggedEvent[]) => replaceEvents(log, state);

  return {
    positions,
    take(message) {
      // Nobody here has asked for it.
      if (message.stream === "fleet") return "applied";
      switch (message.t) {
        case "snapshot": {
          positions[message.stream].snapshot(message);
          if (Array.isArray(message.state)) takeEvents(message.state);
          else takeDevices(message, message.state);
          return "applied";
        }
        case "change": {
          const { verdict, base } = positions[message.stream].change(message);
          if (verdict !== "apply") return verdict === "gap" ? "resubscribe" : "applied";
          const applied = applyChange(copy, base, message);
          if (applied.applied) touch(applied.keys);
          // More than one step, or a part of such a catch-up, which stays at its offset.
          if (applied.applied && message.offset !== message.from + 1) tell(new Set(applied.keys));
          return "applied";
        }
        case "event": {
          const verdict = positions.events.event(message.offset);
          if (verdict === "apply") addEvent(log, message);
          return verdict === "gap" ? "resubscribe" : "applied";
        }
        case "resumed":
          positions[message.stream].resumed(message);
          return "applied";
      }
    },
    onCaughtUp(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    rejected: () => rejected,
  };
}
