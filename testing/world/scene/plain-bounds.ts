import type { PlainKind } from "../plan/plain-plan.ts";
import { BOUNDS, type Bounds } from "./bounds.ts";

/** Interval at which the relay reads a valve that a person watches (POLL-1), ms. */
const POLL_MS = 10_000;
/** Time limit of a read of the farm API, ms. */
const READ_MS = 10_000;
/** Interval at which the relay reads the lists (POLL-1), ms. */
const LIST_MS = 60_000;
/** Longest gap between two sends of a close (CMD-4), and the time limit of the send before, ms. */
const CLOSE_GAP_MS = 60_000;
const SEND_MS = 8_000;
/** For how long a proof is believed (AUTH-3), ms. */
const BELIEVED_MS = 60_000;

/**
 * Return the bounds in front of a farm API that is only asked: the relay learns of a report with its next read, and of
 * an outage by reads that fail; it cannot see that a controller is back, and its close waits for the next time.
 */
export function plainBounds({ isAsleep, reportMs, reportsMoves, turnMs }: PlainKind): Bounds {
  const deliveredMs = (isAsleep ? reportMs : 0) + turnMs;
  return {
    ...BOUNDS,
    shownMs: BOUNDS.shownMs + POLL_MS,
    // Two reads in a row fail (POLL-7).
    liveMs: POLL_MS + 2 * READ_MS + BOUNDS.shownMs,
    againMs: BOUNDS.againMs + POLL_MS,
    closeMs: CLOSE_GAP_MS + SEND_MS + BOUNDS.shownMs + deliveredMs,
    alarmMs: BOUNDS.alarmMs + POLL_MS,
    saveShownMs: LIST_MS + READ_MS + BOUNDS.shownMs,
    saveKnownMs: LIST_MS + BOUNDS.saveKnownMs,
    outMs: BOUNDS.outMs + BELIEVED_MS,
    turnMs: BOUNDS.turnMs + POLL_MS + deliveredMs + (reportsMoves ? 0 : reportMs),
  };
}
