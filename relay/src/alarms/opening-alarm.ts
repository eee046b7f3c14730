import type { AlarmPriority, AlarmType } from "@mulkko/shared/live/alarm";
import type { WateringCause } from "@mulkko/shared/live/watering";

/**
 * Grace in ms after the end of a run before an open valve raises an alarm: the transit of the close and of
 * its report.
 */
export const OVERDUE_MS = 60_000;
/** RUN-3: grace in ms after a mode's watering time. */
export const MODE_OVERDUE_MS = 5 * 60_000;

/** An open valve. All times are ms on the same clock. */
export interface Opening {
  readonly cause: WateringCause;
  readonly start: number;
  /** End of a run that a user started; null: unknown. */
  readonly end: number | null;
  /** The valve closes by itself at the end, and no report from after the end shows it open. */
  readonly unproven: boolean;
  /** Watering time of the mode that opened it; null: unknown. */
  readonly modeMs: number | null;
  /** Hard cap of its controller. */
  readonly capMs: number;
}

/** Alarm priority of an opening now, and when to judge again. */
export interface OpeningVerdict {
  readonly type: AlarmType;
  /** null: no alarm. */
  readonly priority: AlarmPriority | null;
  readonly looksAgainAt: number | null;
}

type Threshold = readonly [at: number, priority: AlarmPriority];

/**
 * Judge an opening (RUN-3):
 *
 * - A user's run is P1 after its end.
 * - A mode's run is P2 after its watering time + 5 min, and P1 from the hard cap on, but never before the P2 time.
 * - An opening of unknown origin is P2 at once and P1 at the cap.
 *
 * A valve that closes by itself is not overdue because of a report from before its end.
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

function thresholdsOf({ cause, start, end, unproven, modeMs, capMs }: Opening): Threshold[] {
  const cap = start + capMs;
  if (unproven && cause !== "external") return [];
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
