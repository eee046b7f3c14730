import {
  type CloseIntent,
  closesAt,
  expiresAt,
  type Intent,
  isPending,
  mayRun,
  type OpenIntent,
  openWindowEnd,
  remainingSeconds,
  runOverAt,
  VALVE_LIMITS,
} from "./intent.ts";
import { latestSaid, type Seen, saidAt } from "./report-order.ts";

/** What is known of a channel from outside. */
export interface Reported {
  /** The newest report since this process began, if any. */
  readonly seen: Seen | null;
  /** When the controller was last heard, whatever it said; store time. */
  readonly heardAt: number | null;
}

/** The one thing to do now about a channel; after it, ask again. */
export type Action =
  | { do: "send-open"; remainingSeconds: number; expiresAt: number }
  | { do: "send-close" }
  /** Have the channel read. */
  | { do: "read" }
  /** The answer of the last send will not come any more: its fate is unknown. */
  | { do: "answer-lost" }
  | { do: "confirm" }
  | { do: "end"; as: "refused" | "unconfirmed" | "failed" }
  /** The run's time is up: the intent becomes a close (RUN-2). */
  | { do: "close-run" }
  /** A superseded opening came after the close: close once more. */
  | { do: "close-again" }
  /** The intent has done its work. */
  | { do: "forget" }
  | { do: "wait"; until: number };

const wait = (...times: number[]): Action => ({ do: "wait", until: Math.min(...times) });

/**
 * Decides about a valve (CMD-0): pure, total, and the only place that does. `now` is store time, ms UTC.
 * After a restart or takeover it simply runs again on the stored intent (RUN-3).
 */
export function nextAction(intent: Intent, reported: Reported, now: number): Action {
  return intent.want === "open" ? nextForOpen(intent, reported, now) : nextForClose(intent, reported, now);
}

function nextForOpen(intent: OpenIntent, reported: Reported, now: number): Action {
  if (intent.proof !== null && intent.state !== "confirmed") return { do: "confirm" };
  if (isPending(intent) && intent.answer === "refused") return { do: "end", as: "refused" };
  if (!isPending(intent) && !mayRun(intent)) return { do: "forget" };
  if (intent.overSince !== null) return nextForOver(intent, intent.overSince, now);
  const end = closesAt(intent);
  if (now >= end) {
    if (isPending(intent)) return { do: "end", as: mayRun(intent) ? "unconfirmed" : "failed" };
    return isSurelyClosed(intent, reported) ? { do: "forget" } : { do: "close-run" };
  }
  if (isPending(intent)) return nextForPendingOpen(intent, reported, now);
  if (intent.state !== "unconfirmed") return wait(end);
  const read = nextReadAt(intent);
  return now >= read ? { do: "read" } : wait(read, end);
}

/** Reported closed before its end: believed once a later look has not shown it open again. */
function nextForOver(intent: OpenIntent, overSince: number, now: number): Action {
  const overAt = runOverAt(intent, overSince);
  if (now >= overAt) return { do: "forget" };
  return (intent.readAt ?? 0) < overSince ? { do: "read" } : wait(overAt);
}

function nextForPendingOpen(intent: OpenIntent, reported: Reported, now: number): Action {
  if (intent.answer === "waiting") return waitForAnswer(intent, now, closesAt(intent));
  if (intent.answer !== "ok") {
    const next = nextSend(intent, reported, now);
    if (next !== null) return next;
  }
  const unconfirmedAt = (intent.acceptedAt ?? intent.at) + VALVE_LIMITS.unconfirmedMs;
  if (now >= unconfirmedAt) return { do: "end", as: "unconfirmed" };
  const read = nextReadAt(intent);
  return now >= read ? { do: "read" } : wait(read, unconfirmedAt, closesAt(intent));
}

/** An opening that is not accepted: send it, first learn what became of it, or give up. Null: read on. */
function nextSend(intent: OpenIntent, reported: Reported, now: number): Action | null {
  const windowEnd = openWindowEnd(intent);
  const maySend = intent.mayResend && intent.sends < VALVE_LIMITS.openSends && now < windowEnd;
  if (!maySend) return mayRun(intent) ? null : { do: "end", as: "failed" };
  const send: Action = {
    do: "send-open",
    remainingSeconds: remainingSeconds(intent, now),
    expiresAt: expiresAt(intent),
  };
  if (intent.sends === 0) return send;
  const retryAt = (intent.lastSentAt ?? now) + VALVE_LIMITS.openRetryMs;
  if (intent.answer === "unknown") {
    const since = intent.answeredAt ?? now;
    const shown = shownSince(reported, since);
    if (shown === 1) return null;
    if (shown !== 2) {
      const last = intent.readAt !== null && intent.readAt >= since ? intent.readAt : null;
      const read = last === null ? since : last + VALVE_LIMITS.readUnknownMs;
      return now >= read ? { do: "read" } : wait(read, windowEnd);
    }
  }
  return now >= retryAt ? send : wait(retryAt, windowEnd);
}

/** The state that the channel has shown since a moment; null if nothing came. */
function shownSince({ seen }: Reported, since: number): number | null {
  if (seen === null) return null;
  const { report } = seen;
  const at = report.via === "poll" ? report.askedAt : (saidAt(report) ?? 0);
  return at >= since ? report.onoff : null;
}

/**
 * True if no opening of this intent can be running: closed was reported after the last moment for one, by the
 * report's own clock and by ours, which may differ.
 */
function isSurelyClosed(intent: OpenIntent, { seen }: Reported): boolean {
  if (seen === null || seen.report.onoff !== 2 || seen.report.askedAt < expiresAt(intent)) return false;
  const at = latestSaid(seen.report);
  if (intent.timesDoubtful || at === null) return seen.report.via === "poll";
  return at - intent.offsetMs >= expiresAt(intent);
}

function nextForClose(intent: CloseIntent, reported: Reported, now: number): Action {
  if (intent.state === "confirmed") return nextForClosed(intent, reported, now);
  if (intent.proof !== null) return { do: "confirm" };
  const unconfirmedAt = (intent.acceptedAt ?? intent.at) + VALVE_LIMITS.unconfirmedMs;
  if (isPending(intent) && now >= unconfirmedAt) return { do: "end", as: "unconfirmed" };
  if (intent.answer === "waiting") {
    return waitForAnswer(intent, now, isPending(intent) ? unconfirmedAt : Number.POSITIVE_INFINITY);
  }
  // The first send bears one credential, the second the other: then it is the API's last word for now.
  if (intent.state === "requested" && intent.answer === "refused" && intent.sends > 1) {
    return { do: "end", as: "refused" };
  }
  if (intent.lastSentAt === null) return { do: "send-close" };
  if (now >= intent.at + VALVE_LIMITS.closeGivesUpMs && reported.seen?.report.onoff === 2) {
    return { do: "forget" };
  }
  const due = nextCloseAt(intent, intent.lastSentAt, reported);
  if (now >= due) return { do: "send-close" };
  const read = nextReadAt(intent);
  if (now >= read) return { do: "read" };
  return isPending(intent) ? wait(due, read, unconfirmedAt) : wait(due, read);
}

/** When a close goes out again: by its growing gaps, or as soon as the controller is heard (CMD-4). */
function nextCloseAt(intent: CloseIntent, lastSentAt: number, { heardAt }: Reported): number {
  const gaps = VALVE_LIMITS.closeGapsMs;
  const gap = gaps[Math.min(intent.sends, gaps.length) - 1] ?? 60_000;
  const heardSince = heardAt !== null && heardAt > lastSentAt;
  return lastSentAt + (heardSince ? Math.min(gap, VALVE_LIMITS.heardGapMs) : gap);
}

/** Closed is shown: done, unless an opening from before may still be on its way; then one more look decides. */
function nextForClosed(intent: CloseIntent, { seen }: Reported, now: number): Action {
  if (intent.reopened) return { do: "close-again" };
  if (intent.earlierOpens === null || now >= intent.at + VALVE_LIMITS.closeGivesUpMs) return { do: "forget" };
  const watchedUntil = intent.earlierOpens.expiresAt + VALVE_LIMITS.lateOpenMs;
  if (now < watchedUntil) return wait(watchedUntil);
  if (seen !== null && seen.arrivedAt >= watchedUntil && seen.report.askedAt >= watchedUntil) {
    return { do: "forget" };
  }
  const read = Math.max(watchedUntil, (intent.readAt ?? 0) + VALVE_LIMITS.readEveryMs);
  return now >= read ? { do: "read" } : wait(read);
}

function waitForAnswer(intent: Intent, now: number, atMost: number): Action {
  const lost = (intent.lastSentAt ?? now) + VALVE_LIMITS.answerMs;
  return now >= lost ? { do: "answer-lost" } : wait(lost, atMost);
}

/** When the channel is to be read next while nothing has shown the target: growing gaps, then evenly (POLL-6). */
function nextReadAt(intent: Intent): number {
  const base = intent.acceptedAt ?? intent.lastSentAt ?? intent.at;
  const last = intent.readAt ?? 0;
  for (const step of VALVE_LIMITS.readStepsMs) {
    if (base + step > last) return base + step;
  }
  return last + VALVE_LIMITS.readEveryMs;
}
