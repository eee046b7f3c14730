import type { AlarmPriority, AlarmType } from "@mulkko/shared/live/alarm";
import type { WateringCause } from "@mulkko/shared/live/watering";

/** ms beyond the end of a run until a valve that is still open is an alarm: the way of the close, and of its report. */
export const OVERDUE_MS = 60_000;
/** RUN-3: ms beyond a mode's watering time. */
export const MODE_OVERDUE_MS = 5 * 60_000;

/** A valve that is open. Times are ms on one clock, whichever. */
export interface Opening {
  readonly cause: WateringCause;
  readonly start: number;
  /** End of the run, where a person opened it; null: not known. */
  readonly end: number | null;
  /** Watering time of the mode that opened it; null: not known. */
  readonly modeMs: number | null;
  /** Hard cap of its controller. */
  readonly capMs: number;
}

/** What is wrong with an opening now, and when to look again. */
export interface OpeningVerdict {
  readonly type: AlarmType;
  /** null: nothing is. */
  readonly priority: AlarmPriority | null;
  readonly looksAgainAt: number | null;
}

type Threshold = readonly [at: number, priority: AlarmPriority];

/**
 * RUN-3: a person's run beyond its end is P1; a mode's is P2 beyond its watering time + 5 min and P1 at the hard
 * cap, or where the mode may take longer than the cap at that same moment; one that nobody knows of is P2 at once
 * and P1 at the cap.
 */
export function judgeOpening(opening: Opening, now: number): OpeningVerdict {
  const thresholds = thresholdsOf(opening);
  const reached = thresholds.filter(([at]) => at <= now).map(([, priority]) => priority);
  const coming = thresholds.filter(([at]) => at > now).map(([at]) => at);
  return {
    type: opening.cause === "external" ? "external-open" : "open-too-long",
    priority: reached.sort((a, b) => a - b)[0] ?? null,
    looksAgainAt: coming.length === 0 ? null : Math.min(...coming),
  };
}

function thresholdsOf({ cause, start, end, modeMs, capMs }: Opening): Threshold[] {
  const cap = start + capMs;
  switch (cause) {
    case "external":
      return [
        [start, 2],
        [cap, 1],
      ];
    case "person":
      return [[(end ?? cap) + OVERDUE_MS, 1]];
    case "automatic":
    case "period":
    case "reservation": {
      if (modeMs === null) return [[cap, 1]];
      const late = start + modeMs + MODE_OVERDUE_MS;
      return [
        [late, 2],
        [Math.max(cap, late), 1],
      ];
    }
  }
}
