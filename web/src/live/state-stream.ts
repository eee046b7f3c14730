import { applyChange, type StateCopy } from "@mulkko/shared/live/apply-change";
import type { Change, Resumed, Snapshot, StateMap } from "@mulkko/shared/live/server-messages";
import { createStreamPosition, type StreamPosition } from "./stream-position.ts";

/** Runs a flush with the next picture; the browser's `requestAnimationFrame`. */
export type NextFrame = (flush: () => void) => void;

/** Keys whose past may have a hole after a catch-up (SUB-5); `all` after a snapshot. */
export type CaughtUp = ReadonlySet<string> | "all";

/** What a message of a stream asks of the connection. */
export type Taken = "applied" | "resubscribe";

/** A copy of a stream that holds values by key, and where it stands in it. */
export interface StateStream {
  readonly position: StreamPosition;
  take(message: Snapshot | Change | Resumed): Taken;
}

export interface StateStreamParts {
  readonly nextFrame: NextFrame;
  /** Once a picture, with what has changed since the last one. @param copy raw values; keys that it lacks are gone */
  readonly flush: (keys: ReadonlySet<string>, copy: ReadonlyMap<string, StateMap[string]>) => void;
  readonly onCaughtUp?: (keys: CaughtUp) => void;
  /** Called once, in the task of the flush that brought the whole of it: what was not in it is not there. */
  readonly onShown?: () => void;
}

/** The raw copy moves at once with each message, so that it always agrees with its position; `flush` once per picture. */
export function createStateStream(parts: StateStreamParts): StateStream {
  const position = createStreamPosition();
  const copy: StateCopy = new Map();
  /** Keys of the running snapshot: what none of its parts held is gone. */
  const inSnapshot = new Set<string>();
  let dirty = new Set<string>();
  let flushAsked = false;
  let shown = false;

  const lookWhetherShown = () => {
    if (shown || flushAsked || !position.synced()) return;
    shown = true;
    parts.onShown?.();
  };
  const flush = () => {
    flushAsked = false;
    const keys = dirty;
    dirty = new Set();
    parts.flush(keys, copy);
    lookWhetherShown();
  };
  const touch = (keys: Iterable<string>) => {
    for (const key of keys) dirty.add(key);
    if (flushAsked || dirty.size === 0) return;
    flushAsked = true;
    parts.nextFrame(flush);
  };
  const takeSnapshot = ({ part, of }: Snapshot, state: StateMap) => {
    if (part === 1) inSnapshot.clear();
    for (const [key, value] of Object.entries(state)) {
      inSnapshot.add(key);
      copy.set(key, value);
    }
    touch(Object.keys(state));
    if (part < of) return;
    // Swept at the end, not emptied at the start: on a slow link the page would stand empty between the parts.
    const gone = [...copy.keys()].filter((key) => !inSnapshot.has(key));
    for (const key of gone) copy.delete(key);
    touch(gone);
    inSnapshot.clear();
    parts.onCaughtUp?.("all");
  };

  const apply = (message: Snapshot | Change | Resumed): Taken => {
    switch (message.t) {
      case "snapshot":
        position.snapshot(message);
        if (!Array.isArray(message.state)) takeSnapshot(message, message.state);
        return "applied";
      case "change": {
        const { verdict, base } = position.change(message);
        if (verdict !== "apply") return verdict === "gap" ? "resubscribe" : "applied";
        const applied = applyChange(copy, base, message);
        if (applied.applied) touch(applied.keys);
        // More than one step, or a part of such a catch-up, which stays at its offset.
        if (applied.applied && message.offset !== message.from + 1) {
          parts.onCaughtUp?.(new Set(applied.keys));
        }
        return "applied";
      }
      case "resumed":
        position.resumed(message);
        return "applied";
    }
  };

  return {
    position,
    take(message) {
      const taken = apply(message);
      // Of an empty farm, or one that was drawn while its connection was away, there is nothing to flush.
      lookWhetherShown();
      return taken;
    },
  };
}
