/** How an intent moves on. Every function takes the intent as it was and returns it as it is; none does I/O. */
import { RELAY_ACTOR } from "@mulkko/shared/live/devices";
import type { ChannelReport } from "../ports/channel-report.ts";
import type { SendResult } from "../ports/valves.ts";
import { evidenceOf, weighHint } from "./command-proof.ts";
import {
  type CloseIntent,
  expiresAt,
  type Intent,
  mayRun,
  type OpenIntent,
  runOverAt,
  settledAt,
  VALVE_LIMITS,
} from "./intent.ts";

/** A press, or what stands for one: who wants what of which channel, and since when. */
export type Press = Pick<
  Intent,
  | "channelKey"
  | "controllerId"
  | "number"
  | "form"
  | "runId"
  | "commandId"
  | "by"
  | "origin"
  | "traceId"
  | "at"
>;

const UNSENT = {
  state: "requested",
  reason: null,
  acceptedAt: null,
  offsetMs: 0,
  sends: 0,
  firstSentAt: null,
  lastSentAt: null,
  sentIds: [],
  answer: "none",
  answeredAt: null,
  mayHaveRun: false,
  readAt: null,
  firstRead: null,
  proof: null,
  timesDoubtful: false,
} as const;

/** Openings that may still reach the device when this intent is replaced. */
function opensInFlight(previous: Intent | null, now: number): Intent["earlierOpens"] {
  if (previous === null) return null;
  const watched = (end: number) => end + VALVE_LIMITS.lateOpenMs > now;
  const earlier =
    previous.earlierOpens !== null && watched(previous.earlierOpens.expiresAt) ? previous.earlierOpens : null;
  if (previous.want === "close" || !watched(expiresAt(previous))) return earlier;
  if (!mayRun(previous) || settledAt(previous) <= now) return earlier;
  return {
    commandIds: [...(earlier?.commandIds ?? []), ...previous.sentIds].slice(-VALVE_LIMITS.sentIds),
    expiresAt: Math.max(earlier?.expiresAt ?? 0, expiresAt(previous)),
  };
}

/** When the valve has to be closed after all if a new opening is surely not carried out; null: nothing to do. */
function endOwedBy(previous: Intent | null, now: number): number | null {
  if (previous === null) return null;
  if (previous.want === "close") return previous.state === "confirmed" ? null : now;
  if (previous.overSince !== null && runOverAt(previous, previous.overSince) <= now) return null;
  return mayRun(previous) ? previous.until : previous.fallbackUntil;
}

export interface Opening {
  readonly runSeconds: number;
  /** The run time goes to the device. */
  readonly timed: boolean;
  /** End of run that the channel reports at the press. */
  readonly runUntilBefore: number | null;
}

/**
 * A person presses On (CMD-0: what was wanted before is replaced whole).
 *
 * @param now when the press takes the channel; it may have been on its way for a while
 */
export function openPressed(
  press: Press,
  opening: Opening,
  previous: Intent | null,
  now = press.at,
): OpenIntent {
  return {
    ...press,
    ...UNSENT,
    sentIds: [],
    want: "open",
    until: press.at + opening.runSeconds * 1_000,
    fallbackUntil: endOwedBy(previous, now),
    timed: opening.timed,
    runUntilBefore: opening.runUntilBefore,
    mayResend: true,
    overSince: null,
    earlierOpens: opensInFlight(previous, now),
  };
}

/** A person presses Off. */
export function closePressed(press: Press, previous: Intent | null): CloseIntent {
  return {
    ...press,
    ...UNSENT,
    sentIds: [],
    want: "close",
    why: "pressed",
    reopened: false,
    earlierOpens: opensInFlight(previous, press.at),
  };
}

/** The run is over (RUN-2), or an opening came after its close: the relay wants the valve closed by itself. */
export function closeByRelay(
  intent: Intent,
  why: "run-end" | "late-open",
  commandId: string,
  now: number,
): CloseIntent {
  const { channelKey, controllerId, number, form, runId, traceId } = intent;
  const place = { channelKey, controllerId, number, form };
  const press = { ...place, runId, commandId, by: RELAY_ACTOR, origin: "relay", traceId };
  return { ...closePressed({ ...press, at: now }, intent), why };
}

/** Before a send: counted and named first, so that a restart knows of it. */
export function sending<I extends Intent>(intent: I, sendId: string, now: number): I {
  return {
    ...intent,
    sends: intent.sends + 1,
    firstSentAt: intent.firstSentAt ?? now,
    lastSentAt: now,
    sentIds: [...intent.sentIds.filter((id) => id !== sendId), sendId].slice(-VALVE_LIMITS.sentIds),
    answer: "waiting",
  };
}

/** The farm API answered, or nobody knows. */
export function answered<I extends Intent>(intent: I, result: SendResult, now: number): I {
  switch (result.kind) {
    case "accepted":
      return {
        ...intent,
        answer: "ok",
        answeredAt: now,
        mayHaveRun: true,
        acceptedAt: intent.acceptedAt ?? now,
        offsetMs: result.offsetMs ?? 0,
        state: intent.state === "requested" || intent.state === "refused" ? "accepted" : intent.state,
        reason: null,
      };
    case "refused":
      return { ...intent, answer: "refused", answeredAt: now, reason: result.code };
    case "not-sent":
      return { ...intent, answer: "not-sent", answeredAt: now, reason: "upstream-down" };
    case "unknown":
      return { ...intent, answer: "unknown", answeredAt: now, reason: "no-answer", mayHaveRun: true };
  }
}

/** A report of the channel, newer than the one before it. */
export function reported(intent: Intent, report: ChannelReport, now: number): Intent {
  if (intent.proof !== null) return reportedAfterProof(intent, report, now);
  const evidence = evidenceOf(intent, report);
  switch (evidence) {
    case "id":
    case "time":
      return proven(intent, report, evidence);
    case "hint": {
      const { firstRead, proves } = weighHint(intent, report);
      return proves ? proven(intent, report, "api") : { ...intent, firstRead };
    }
    case "contrary":
      return isGuard(intent) ? closedAgain(intent, now) : { ...intent, firstRead: null };
    case "nothing":
      return isGuard(intent) && report.onoff === 1 ? { ...intent, overSince: null } : intent;
  }
}

function closedAgain(intent: OpenIntent, now: number): OpenIntent {
  return { ...intent, overSince: intent.overSince ?? now };
}

/** An opening that was refused and only keeps the end of the run before it. */
function isGuard(intent: Intent): intent is OpenIntent {
  return intent.want === "open" && (intent.state === "refused" || intent.state === "failed");
}

function proven(intent: Intent, report: ChannelReport, proof: NonNullable<Intent["proof"]>): Intent {
  if (intent.want === "close") return { ...intent, proof };
  return {
    ...intent,
    proof,
    overSince: null,
    mayHaveRun: true,
    timed: intent.timed && report.runUntil !== null,
  };
}

function reportedAfterProof(intent: Intent, report: ChannelReport, now: number): Intent {
  if (intent.want === "open") {
    if (report.onoff === 1 && evidenceOf(intent, report) === "id")
      return { ...intent, proof: "id", overSince: null };
    if (report.onoff === 2) return closedAgain(intent, now);
    return report.onoff === 1 ? { ...intent, overSince: null } : intent;
  }
  const late = intent.earlierOpens;
  if (report.onoff !== 1 || late === null) return intent;
  const byThem =
    report.commandId === null ? report.activeMode === "none" : late.commandIds.includes(report.commandId);
  return byThem ? { ...intent, reopened: true } : intent;
}

/**
 * A command ends without its target being shown. An opening that surely was not carried out gives way to the
 * run that it had replaced.
 */
export function ended<I extends Intent>(intent: I, state: "refused" | "unconfirmed" | "failed"): I {
  if (intent.want === "open" && !mayRun(intent) && intent.fallbackUntil !== null) {
    return { ...intent, state, until: intent.fallbackUntil, mayHaveRun: true };
  }
  return { ...intent, state };
}

/** After a restart or takeover: a send whose answer was awaited is of unknown fate, and the token is gone. */
export function resumed<I extends Intent>(intent: I, now: number): I {
  const settled: I =
    intent.answer === "waiting" ? answered(intent, { kind: "unknown", message: "restarted" }, now) : intent;
  return settled.want === "open" ? { ...settled, mayResend: false } : settled;
}

const NULL_OR = (time: number | null, ms: number): number | null => (time === null ? null : time + ms);

/** The wall clock was set: every time moves with it, so that no run grows or shrinks (RUN-4). */
export function shifted(intent: Intent, ms: number): Intent {
  const moved = {
    at: intent.at + ms,
    acceptedAt: NULL_OR(intent.acceptedAt, ms),
    firstSentAt: NULL_OR(intent.firstSentAt, ms),
    lastSentAt: NULL_OR(intent.lastSentAt, ms),
    answeredAt: NULL_OR(intent.answeredAt, ms),
    readAt: NULL_OR(intent.readAt, ms),
    firstRead: NULL_OR(intent.firstRead, ms),
    timesDoubtful: intent.sends > 0,
    earlierOpens:
      intent.earlierOpens === null
        ? null
        : { ...intent.earlierOpens, expiresAt: intent.earlierOpens.expiresAt + ms },
  };
  if (intent.want === "close") return { ...intent, ...moved };
  return {
    ...intent,
    ...moved,
    until: intent.until + ms,
    fallbackUntil: NULL_OR(intent.fallbackUntil, ms),
    overSince: NULL_OR(intent.overSince, ms),
  };
}
