import type { Position } from "@mulkko/shared/live/client-messages";
import type { Change, Resumed, Snapshot } from "@mulkko/shared/live/server-messages";

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
