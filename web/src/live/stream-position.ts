import type { Position } from "@mulkko/shared/live/client-messages";
import type { Change, Resumed, Snapshot } from "@mulkko/shared/live/server-messages";

/** What to do with a frame: take it, leave it, or ask the stream again from where we stand (SUB-1). */
export type Verdict = "apply" | "ignore" | "gap";

/** Where this client stands in one stream, kept over connections so that the next one resumes (SUB-3). */
export interface StreamPosition {
  /** undefined before the first whole snapshot. */
  current(): Position | undefined;
  /** False between a subscribe and its `resumed` or last snapshot part. */
  synced(): boolean;
  /** A subscribe with {@link current} goes out. */
  asked(): void;
  /** The connection is gone; the position stays. */
  lost(): void;
  snapshot(part: Pick<Snapshot, "epoch" | "offset" | "part" | "of">): void;
  /** `base` is the offset that the frame builds upon. */
  change(frame: Pick<Change, "from" | "offset">): { verdict: Verdict; base: number };
  event(offset: number): Verdict;
  resumed(message: Pick<Resumed, "epoch" | "offset">): void;
}

export function createStreamPosition(): StreamPosition {
  let position: Position | undefined;
  let synced = false;
  let waiting = false;
  /** Where the running resume started: all its parts build upon it. */
  let resumeFrom: number | null = null;

  const gap = (): Verdict => {
    // One question is enough: until its answer comes, every frame in flight looks like a gap.
    if (waiting || !position) return "ignore";
    return "gap";
  };

  return {
    current: () => position,
    synced: () => synced,
    asked() {
      waiting = true;
      synced = false;
      resumeFrom = position?.offset ?? null;
    },
    lost() {
      waiting = false;
      synced = false;
      resumeFrom = null;
    },
    snapshot({ epoch, offset, part, of }) {
      // A copy between two parts belongs to no offset: a connection lost here starts from nothing.
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
