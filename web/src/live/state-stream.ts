import { applyChange, type StateCopy } from "@mulkko/shared/live/apply-change";
import type { Position } from "@mulkko/shared/live/client-messages";
import type { Change, Resumed, Snapshot, StateMap } from "@mulkko/shared/live/server-messages";

/** Schedule a flush for the next frame; the browser's `requestAnimationFrame`. */
export type NextFrame = (flush: () => void) => void;

/** Keys whose history may have a gap after a catch-up (SUB-5); `all` after a snapshot. */
export type CaughtUp = ReadonlySet<string> | "all";

/** Result of a stream's message for the connection. */
export type StreamStep = "applied" | "resubscribe";

/** Copy of a stream with values by key, and its position. */
export interface StateStream {
  readonly position: StreamPosition;
  apply(message: Snapshot | Change | Resumed): StreamStep;
}

export interface StateStreamDeps {
  readonly nextFrame: NextFrame;
  /**
   * Called once per frame with the changes since the last one. @param copy raw values; missing keys are
   * deleted
   */
  readonly flush: (keys: ReadonlySet<string>, copy: ReadonlyMap<string, StateMap[string]>) => void;
  readonly onCaughtUp?: (keys: CaughtUp) => void;
  /** Called once, in the task of the flush that completed it: missing keys do not exist. */
  readonly onShown?: () => void;
  /** Called after each flush. */
  readonly onFlushed?: () => void;
}

/**
 * Create the copy of a stream. It changes at once with each message, so that it always matches its position;
 * `flush` runs once per frame.
 */
export function createStateStream(deps: StateStreamDeps): StateStream & {
  /** Return true while the flush of a change is pending. */
  readonly isBehind: () => boolean;
} {
  const position = createStreamPosition();
  const copy: StateCopy = new Map();
  /** Keys of the current snapshot: keys missing in all of its parts are deleted. */
  const inSnapshot = new Set<string>();
  let dirty = new Set<string>();
  let flushAsked = false;
  let shown = false;

  const reportIfShown = () => {
    if (shown || flushAsked || !position.synced()) return;
    shown = true;
    deps.onShown?.();
  };
  const flush = () => {
    flushAsked = false;
    const keys = dirty;
    dirty = new Set();
    deps.flush(keys, copy);
    reportIfShown();
    deps.onFlushed?.();
  };
  const markDirty = (keys: Iterable<string>) => {
    for (const key of keys) dirty.add(key);
    if (flushAsked || dirty.size === 0) return;
    flushAsked = true;
    deps.nextFrame(flush);
  };
  const applySnapshot = ({ part, of }: Snapshot, state: StateMap) => {
    if (part === 1) inSnapshot.clear();
    for (const [key, value] of Object.entries(state)) {
      inSnapshot.add(key);
      copy.set(key, value);
    }
    markDirty(Object.keys(state));
    if (part < of) return;
    // Delete at the end, not at the start: on a slow link the page would be empty between the parts.
    const gone = [...copy.keys()].filter((key) => !inSnapshot.has(key));
    for (const key of gone) copy.delete(key);
    markDirty(gone);
    inSnapshot.clear();
    deps.onCaughtUp?.("all");
  };

  const apply = (message: Snapshot | Change | Resumed): StreamStep => {
    switch (message.t) {
      case "snapshot":
        position.snapshot(message);
        if (!Array.isArray(message.state)) applySnapshot(message, message.state);
        return "applied";
      case "change": {
        const { verdict, base } = position.change(message);
        if (verdict !== "apply") return verdict === "gap" ? "resubscribe" : "applied";
        const applied = applyChange(copy, base, message);
        if (applied.applied) markDirty(applied.keys);
        // More than one step, or a part of such a catch-up, which stays at its offset.
        if (applied.applied && message.offset !== message.from + 1) {
          deps.onCaughtUp?.(new Set(applied.keys));
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
    isBehind: () => flushAsked,
    apply(message) {
      const step = apply(message);
      // An empty farm, or one rendered while its connection was down, has nothing to flush.
      reportIfShown();
      return step;
    },
  };
}

/** Verdict on a frame: apply it, ignore it, or resubscribe from the current position (SUB-1). */
type Verdict = "apply" | "ignore" | "gap";

export type StreamPosition = ReturnType<typeof createStreamPosition>;

/** Create the client's position in one stream, kept across connections so that the next one resumes (SUB-3). */
export function createStreamPosition() {
  let position: Position | undefined;
  let synced = false;
  let waiting = false;
  /** Start offset of the running resume: all its parts build upon it. */
  let resumeFrom: number | null = null;

  const gap = (): Verdict => {
    // One request is enough: until its answer arrives, every frame in flight looks like a gap.
    if (waiting || !position) return "ignore";
    return "gap";
  };

  return {
    /** Return the position; undefined before the first whole snapshot. */
    current: () => position,
    /** Return false between a subscribe and its `resumed` or last snapshot part. */
    synced: () => synced,
    /** Record that a subscribe with the current position is sent. */
    requested() {
      waiting = true;
      synced = false;
      resumeFrom = position?.offset ?? null;
    },
    /** Record that the connection is lost; the position stays. */
    disconnected() {
      waiting = false;
      synced = false;
      resumeFrom = null;
    },
    snapshot({ epoch, offset, part, of }: Pick<Snapshot, "epoch" | "offset" | "part" | "of">) {
      // A copy between two parts has no valid offset: a connection lost here starts from nothing.
      position = part === of ? { epoch, offset } : undefined;
      resumeFrom = null;
      waiting = part < of;
      synced = part === of;
    },
    /** Check a change frame; `base` is the offset that it builds upon. */
    change(frame: Pick<Change, "from" | "offset">): { verdict: Verdict; base: number } {
      if (!position) return { verdict: "ignore", base: 0 };
      const fits = frame.from === position.offset || (waiting && frame.from === resumeFrom);
      if (!fits) return { verdict: gap(), base: frame.from };
      position = { ...position, offset: Math.max(position.offset, frame.offset) };
      return { verdict: "apply", base: frame.from };
    },
    event(offset: number): Verdict {
      if (!position || offset <= position.offset) return "ignore";
      if (offset !== position.offset + 1) return gap();
      position = { ...position, offset };
      return "apply";
    },
    resumed({ epoch, offset }: Pick<Resumed, "epoch" | "offset">) {
      position = { epoch, offset };
      waiting = false;
      resumeFrom = null;
      synced = true;
    },
  };
}
