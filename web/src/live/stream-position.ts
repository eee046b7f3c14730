import type { Position } from "@mulkko/shared/live/client-messages";
import type { Change, Resumed, Snapshot } from "@mulkko/shared/live/server-messages";

/** Verdict on a frame: apply it, ignore it, or resubscribe from the current position (SUB-1). */
export type Verdict = "apply" | "ignore" | "gap";

/** Position of this client in one stream, kept across connections so that the next one resumes (SUB-3). */
export interface StreamPosition {
  /** Return the position; undefined before the first whole snapshot. */
  current(): Position | undefined;
  /** Return false between a subscribe and its `resumed` or last snapshot part. */
  synced(): boolean;
  /** Record that a subscribe with {@link current} is sent. */
  requested(): void;
  /** Record that the connection is lost; the position stays. */
  disconnected(): void;
  snapshot(part: Pick<Snapshot, "epoch" | "offset" | "part" | "of">): void;
  /** Check a change frame; `base` is the offset that it builds upon. */
  change(frame: Pick<Change, "from" | "offset">): { verdict: Verdict; base: number };
  event(offset: number): Verdict;
  resumed(message: Pick<Resumed, "epoch" | "offset">): void;
}

export function createStreamPosition(): StreamPosition {
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
    current: () => position,
    synced: () => synced,
    requested() {
      waiting = true;
      synced = false;
      resumeFrom = position?.offset ?? null;
    },
    disconnected() {
      waiting = false;
      synced = false;
      resumeFrom = null;
    },
    snapshot({ epoch, offset, part, of }) {
      // A copy between two parts has no valid offset: a connection lost here starts from nothing.
      position = part === of ? { epoch, offset } : undefined;
      resumeFrom = null;
      waiting = part < of;
      synced = part === of;
    },
    change(frame) {
      if (!position) return { verdict: "ignore", base: 0 };
      const fits = frame.from === position.offset || (waiting && frame.from === resumeFrom);
      if (!fits) return { verdict: gap(), base: frame.from };
      position = { ...position, offset: Math.max(position.offset, frame.offset) };
      return { verdict: "apply", base: frame.from };
    },
    event(offset) {
      if (!position || offset <= position.offset) return "ignore";
      if (offset !== position.offset + 1) return gap();
      position = { ...position, offset };
      return "apply";
    },
    resumed({ epoch, offset }) {
      position = { epoch, offset };
      waiting = false;
      resumeFrom = null;
      synced = true;
    },
  };
}
