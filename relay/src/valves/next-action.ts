import { type Seen, saidAt } from "../account/channel-report.ts";
import { showsAnothersRun, showsNoRun } from "./command-proof.ts";
import {
  awaitsEarlier,
  type CloseIntent,
  closesAt,
  expiresAt,
  type Intent,
  isGuard,
  isPending,
  mayRun,
  type OpenIntent,
  openWindowEnd,
  remainingSeconds,
  runOverAt,
  VALVE_LIMITS,
} from "./intent.ts";

/** External knowledge about a channel. */
export interface Reported {
  /** The newest report since this process started, if any. */
  readonly seen: Seen | null;
  /** Time of the controller's last report of any kind, store time. */
  readonly lastSeenAt: number | null;
  /** Since when this process has been there without a break, store time: it was started, or had been stopped. */
  readonly awakeSince: number;
}

/** The next action for a channel; ask again after it. */
export type Action =
  | { do: "send-open"; remainingSeconds: number; expiresAt: number }
  | { do: "send-close" }
  /** Request a read of the channel. */
  | { do: "read" }
  /** Stop waiting for the answer of the last send: its fate is unknown. */
  | { do: "answer-lost" }
  | { do: "confirm" }
  | { do: "end"; as: "refused" | "unconfirmed" | "failed" }
  /** The run time is over: turn the intent into a close (RUN-2). */
  | { do: "close-run" }
  /** A superseded opening arrived after the close: close once more. */
  | { do: "close-again" }
  /** The run has ended, and what is open is another's since (RUN-2): leave it open. */
  | { do: "leave-open" }
  /** The intent is complete. */
  | { do: "forget" }
  | { do: "wait"; until: number };

const wait = (...times: number[]): Action => ({ do: "wait", until: Math.min(...times) });

/**
 * Decide the next action for a valve (CMD-0). This function is pure, total, and the only place that decides.
 * `now` is store time, ms UTC. After a restart or takeover it runs again on the stored intent (RUN-3).
 */
export function nextAction(intent: Intent, reported: Reported, now: number): Action {
  return intent.want === "open" ? nextForOpen(intent, reported, now) : nextForClose(intent, reported, now);
}

function nextForOpen(intent: OpenIntent, reported: Reported, now: number): Action {
  if (intent.proof !== null && intent.state !== "confirmed") return { do: "confirm" };
  if (isPending(intent) && intent.answer === "refused") return { do: "end", as: "refused" };
  if (!isPending(intent) && !mayRun(intent)) return letGo(intent, now);
  const hasRun = intent.proof !== null || isGuard(intent);
  if (intent.overSince !== null && hasRun) {
    const next = nextForOver(intent, intent.overSince, now);
    if (next !== null) return next;
  }
  const end = closesAt(intent);
  if (now >= end) {
    if (isPending(intent)) return { do: "end", as: mayRun(intent) ? "unconfirmed" : "failed" };
    // An opening that was not carried out stays on the screens until its end; what is open then is another's run.
    const neverRan = intent.overSince !== null && !hasRun;
    if (neverRan || isSurelyClosed(intent, reported)) return letGo(intent, now);
    return lookFirst(intent, reported, end, now) ?? { do: "close-run" };
  }
  if (isPending(intent)) return nextForPendingOpen(intent, reported, now);
  if (intent.state !== "unconfirmed") return wait(end);
  const read = nextReadAt(intent);
  return now >= read ? { do: "read" } : wait(read, end);
}

/**
 * Look before the close at the end of a run at which this relay was not there: it was stopped, or took the account over
 * since. What is open now may be another's run, and reports of that may still wait to be read. Null: it was there, has
 * looked, or gets no answer.
 */
function lookFirst(intent: OpenIntent, reported: Reported, end: number, now: number): Action | null {
  const { lateMs, lookEveryMs, lookMs } = VALVE_LIMITS;
  const { awakeSince, seen } = reported;
  const wasAway = awakeSince > end - lookEveryMs;
  if (!wasAway && now < end + lateMs) return null;
  const from = Math.max(end, awakeSince);
  // A message that comes right after a stop has waited since before it.
  const hasWaited = seen?.report.via === "mqtt" && wasAway && seen.arrivedAt < awakeSince + lookEveryMs;
  if (seen !== null && seen.report.askedAt >= from && !hasWaited) return null;
  if (intent.readAt === null || intent.readAt < from) return { do: "read" };
  const next = intent.readAt + lookEveryMs;
  if (now < next) return wait(next);
  return now < from + lookMs ? { do: "read" } : null;
}

/** The opening is complete; replace it by a close if an earlier opening may arrive late (CMD-14). */
function letGo(intent: OpenIntent, now: number): Action {
  const watches = intent.earlierOpens?.press?.expires === false && awaitsEarlier(intent, now);
  return { do: watches ? "close-run" : "forget" };
}

/**
 * Decide about a run reported closed before its end. It is over if a later read does not show it open again.
 * Null if another copy of the opening may arrive until after its end; the run is then closed at its end
 * (CMD-14).
 */
function nextForOver(intent: OpenIntent, overSince: number, now: number): Action | null {
  const overAt = runOverAt(intent, overSince);
  if (intent.expires === false && overAt >= closesAt(intent)) return null;
  if (now >= overAt) return letGo(intent, now);
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

/**
 * Decide about an opening that is not accepted: send it, first find out its fate, or give up. Null: keep
 * reading.
 */
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
    const shown = shownSince(reported, since, intent.timesDoubtful);
    if (shown === 1) return null;
    if (shown !== 2) {
      const last = intent.readAt !== null && intent.readAt >= since ? intent.readAt : null;
      const read = last === null ? since : last + VALVE_LIMITS.readUnknownMs;
      return now >= read ? { do: "read" } : wait(read, windowEnd);
    }
  }
  return now >= retryAt ? send : wait(retryAt, windowEnd);
}

/** Return the state that the channel has shown since a time; null without a report. */
function shownSince({ seen }: Reported, since: number, isDoubtful: boolean): number | null {
  if (seen === null) return null;
  const { report } = seen;
  const isByArrival = report.via === "poll" || (isDoubtful && report.isLive);
  if (isDoubtful && !isByArrival) return null;
  const at = isByArrival ? report.askedAt : (saidAt(report) ?? 0);
  return at >= since ? report.onoff : null;
}

function isSurelyClosed(intent: OpenIntent, { seen }: Reported): boolean {
  return seen !== null && showsNoRun(intent, seen.report);
}

function nextForClose(intent: CloseIntent, reported: Reported, now: number): Action {
  if (intent.state === "confirmed") return nextForClosed(intent, reported, now);
  if (intent.proof !== null) return { do: "confirm" };
  if (reported.seen !== null && showsAnothersRun(intent, reported.seen.report)) return { do: "leave-open" };
  const unconfirmedAt = (intent.acceptedAt ?? intent.at) + VALVE_LIMITS.unconfirmedMs;
  if (isPending(intent) && now >= unconfirmedAt) return { do: "end", as: "unconfirmed" };
  if (intent.answer === "waiting") {
    return waitForAnswer(intent, now, isPending(intent) ? unconfirmedAt : Number.POSITIVE_INFINITY);
  }
  // The first send carries one credential, the second the other: the API has refused both.
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

/** Return when a close is sent again: after its growing gap, or as soon as the controller reports (CMD-4). */
function nextCloseAt(intent: CloseIntent, lastSentAt: number, { lastSeenAt }: Reported): number {
  const gaps = VALVE_LIMITS.closeGapsMs;
  const gap = gaps[Math.min(intent.sends, gaps.length) - 1] ?? 60_000;
  const coveredSince = lastSeenAt !== null && lastSeenAt > lastSentAt;
  return lastSentAt + (coveredSince ? Math.min(gap, VALVE_LIMITS.reportGapMs) : gap);
}

/**
 * Decide about a channel shown closed: complete, unless an earlier opening may be in flight; then one more
 * read decides.
 */
function nextForClosed(intent: CloseIntent, { seen }: Reported, now: number): Action {
  if (intent.reopened) return { do: "close-again" };
  if (intent.earlierOpens === null || now >= intent.at + VALVE_LIMITS.closeGivesUpMs) return { do: "forget" };
  const watchedUntil = intent.earlierOpens.expiresAt + VALVE_LIMITS.lateOpenMs;
  if (now < watchedUntil) {
    const look = nextWatchReadAt(intent, now);
    return look !== null && now >= look ? { do: "read" } : wait(watchedUntil, look ?? watchedUntil);
  }
  if (seen !== null && seen.arrivedAt >= watchedUntil && seen.report.askedAt >= watchedUntil) {
    return { do: "forget" };
  }
  const read = Math.max(watchedUntil, (intent.readAt ?? 0) + VALVE_LIMITS.readEveryMs);
  return now >= read ? { do: "read" } : wait(read);
}

/**
 * Return when a channel is read next while an opening may arrive at any time (CMD-14); null: its reports
 * suffice.
 */
function nextWatchReadAt({ at, readAt, earlierOpens }: CloseIntent, now: number): number | null {
  const earlier = earlierOpens?.press;
  if (earlier === undefined || earlier.expires) return null;
  const [often, seldom] = VALVE_LIMITS.watchEveryMs;
  const every = now < earlier.sentAt + VALVE_LIMITS.lateOpenInOrderMs ? often : seldom;
  return Math.max(at, readAt ?? 0) + every;
}

function waitForAnswer(intent: Intent, now: number, atMost: number): Action {
  const lost = (intent.lastSentAt ?? now) + VALVE_LIMITS.answerMs;
  return now >= lost ? { do: "answer-lost" } : wait(lost, atMost);
}

/**
 * Return when the channel is read next until a report shows the target: growing gaps, then even ones
 * (POLL-6).
 */
function nextReadAt(intent: Intent): number {
  const base = intent.acceptedAt ?? intent.lastSentAt ?? intent.at;
  const last = intent.readAt ?? 0;
  for (const step of VALVE_LIMITS.readStepsMs) {
    if (base + step > last) return base + step;
  }
  return last + VALVE_LIMITS.readEveryMs;
}
