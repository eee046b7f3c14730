/**
 * Transitions of an intent. Every function takes the present intent and returns the next one; none does I/O.
 */
import { RELAY_ACTOR } from "@mulkko/shared/live/devices";
import type { ChannelReport } from "../account/channel-report.ts";
import type { SendResult } from "../upstream/outgoing-command.ts";
import { evidenceOf, showsNoRun, weighHint } from "./command-proof.ts";
import {
  awaitsEarlier,
  type CloseIntent,
  type EarlierOpens,
  type Intent,
  isGuard,
  mayComeUntil,
  mayRun,
  type OpenIntent,
  runOverAt,
  settledAt,
  VALVE_LIMITS,
} from "./intent.ts";

/** A command, or its equivalent: actor, channel, wanted state and time. */
export type Command = Pick<
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

/** Return the openings that may still reach the device when this intent is replaced. */
function opensInFlight(previous: Intent | null, now: number): Intent["earlierOpens"] {
  if (previous === null) return null;
  const watched = (end: number) => end + VALVE_LIMITS.lateOpenMs > now;
  const earlier =
    previous.earlierOpens !== null && watched(previous.earlierOpens.expiresAt) ? previous.earlierOpens : null;
  if (previous.want === "close" || !watched(mayComeUntil(previous))) return earlier;
  if (!mayRun(previous) || settledAt(previous, now) <= now) return earlier;
  const { at, by, lastSentAt, expires = true } = previous;
  return {
    commandIds: [...(earlier?.commandIds ?? []), ...previous.sentIds].slice(-VALVE_LIMITS.sentIds),
    expiresAt: Math.max(earlier?.expiresAt ?? 0, mayComeUntil(previous)),
    press: { at, by, sentAt: lastSentAt ?? at, expires: expires && (earlier?.press?.expires ?? true) },
  };
}

/** A later command was seen to be carried out: shorten the watch for earlier openings (CMD-14). */
function inOrder(earlier: EarlierOpens): EarlierOpens {
  if (earlier?.press === undefined || earlier.press.expires) return earlier;
  const until = earlier.press.sentAt + VALVE_LIMITS.lateOpenInOrderMs;
  return { ...earlier, expiresAt: Math.min(earlier.expiresAt, until) };
}

/**
 * Return when the valve must be closed if a new opening is certainly not carried out; null: no close is
 * owed.
 */
function endOwedBy(previous: Intent | null, now: number): number | null {
  if (previous === null) return null;
  if (previous.want === "close") return previous.state === "confirmed" ? null : now;
  if (previous.overSince !== null && runOverAt(previous, previous.overSince) <= now) return null;
  return mayRun(previous) ? previous.until : previous.fallbackUntil;
}

export interface Opening {
  readonly runSeconds: number;
  /** The run time is sent to the device. */
  readonly timed: boolean;
  /** End of run that the channel reports when the command is given. */
  readonly runUntilBefore: number | null;
  /** State that the channel reports when the command is given; 0 or null: unknown. */
  readonly shown: ChannelReport["onoff"] | null;
}

/**
 * A user commands On (CMD-0: the previous intent is replaced whole).
 *
 * @param now when the command reaches the channel, which may be some time after it was given
 */
export function commandOpen(
  command: Command,
  opening: Opening,
  previous: Intent | null,
  now = command.at,
): OpenIntent {
  return {
    ...command,
    ...UNSENT,
    sentIds: [],
    want: "open",
    until: command.at + opening.runSeconds * 1_000,
    fallbackUntil: endOwedBy(previous, now),
    timed: opening.timed,
    expires: opening.timed,
    shownClosed: opening.shown === 2,
    runUntilBefore: opening.runUntilBefore,
    mayResend: true,
    overSince: null,
    earlierOpens: opensInFlight(previous, now),
  };
}

/**
 * A user commands Off.
 *
 * @param shown state that the channel reports when the command is given; 0 or null: unknown
 */
export function commandClose(
  command: Command,
  previous: Intent | null,
  shown: ChannelReport["onoff"] | null = null,
): CloseIntent {
  return {
    ...command,
    ...UNSENT,
    sentIds: [],
    want: "close",
    why: "pressed",
    reopened: false,
    shownOpen: shown === 1,
    earlierOpens: opensInFlight(previous, command.at),
  };
}

/** The run is over (RUN-2), or an opening came after its close: the relay itself closes the valve. */
export function closeByRelay(
  intent: Intent,
  why: "run-end" | "late-open",
  commandId: string,
  now: number,
  shown: Pick<ChannelReport, "onoff" | "runUntil"> | null = null,
): CloseIntent {
  const { channelKey, controllerId, number, form, runId, traceId } = intent;
  const place = { channelKey, controllerId, number, form };
  const own = { ...place, runId, commandId, by: RELAY_ACTOR, origin: "relay", traceId };
  const close = commandClose({ ...own, at: now }, intent, shown?.onoff);
  return why === "run-end" && shown !== null
    ? { ...close, why, runUntilBefore: shown.runUntil }
    : { ...close, why };
}

/** Before a send: count and name it, so that a restart knows of it. */
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

/** Apply the farm API's answer, or its absence. */
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

/** Apply a report of the channel that is newer than the previous one. */
export function reported(before: Intent, report: ChannelReport, now: number): Intent {
  const intent = noted(before, report);
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
      if (intent.want === "close") return { ...intent, firstRead: null };
      if (isGuard(intent)) return closedAgain(intent, now);
      return { ...(showsNoRun(intent, report) ? closedAgain(intent, now) : intent), firstRead: null };
    case "nothing":
      if (!isGuard(intent) || report.onoff !== 1) return intent;
      return isRunOfAnother(intent, report, now) ? letPass(intent, now) : { ...intent, overSince: null };
  }
}

/** Record what the valve was seen to do before its command is confirmed. */
function noted(intent: Intent, report: ChannelReport): Intent {
  if (intent.proof !== null) return intent;
  if (intent.want === "open") return report.onoff === 2 ? { ...intent, shownClosed: true } : intent;
  return report.onoff === 1 ? { ...intent, shownOpen: true } : intent;
}

function closedAgain(intent: OpenIntent, now: number): OpenIntent {
  return { ...intent, overSince: intent.overSince ?? now };
}

/** The valve is open by another party: this run is over at once. */
function letPass(intent: OpenIntent, now: number): OpenIntent {
  return { ...intent, overSince: now - VALVE_LIMITS.overMs };
}

/**
 * True if a valve is open by the opening of another party, so that the run of this one is over (RUN-2): closed was
 * reported in between and its end has come, or the reported end is a later one. No copy of this opening may still
 * arrive.
 */
function isRunOfAnother(intent: OpenIntent, { runUntil, activeMode }: ChannelReport, now: number): boolean {
  // Of a refused opening no copy can arrive, but of those before it.
  const mayStillArrive = isGuard(intent) ? awaitsEarlier(intent, now) : settledAt(intent, now) > now;
  if (intent.expires === false || mayStillArrive) return false;
  const isNamed = intent.proof === "id";
  const isLater =
    runUntil !== null &&
    !intent.timesDoubtful &&
    runUntil - intent.offsetMs > intent.until + VALVE_LIMITS.runUntilLateMs;
  const isOver = intent.overSince !== null && now >= intent.until;
  // An opening while a mode is active belongs to it (RUN-3).
  return isOver ? isNamed || isLater || activeMode !== "none" : isNamed && isLater;
}

function proven(intent: Intent, report: ChannelReport, proof: NonNullable<Intent["proof"]>): Intent {
  if (intent.want === "close") {
    return {
      ...intent,
      proof,
      earlierOpens: intent.shownOpen === true ? inOrder(intent.earlierOpens) : intent.earlierOpens,
    };
  }
  return {
    ...intent,
    proof,
    earlierOpens: intent.shownClosed === true ? inOrder(intent.earlierOpens) : intent.earlierOpens,
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
    if (report.onoff === 0) return intent;
    if (isRunOfAnother(intent, report, now)) return letPass(intent, now);
    return { ...intent, overSince: null };
  }
  const late = intent.earlierOpens;
  if (report.onoff !== 1 || late === null) return intent;
  const byThem =
    report.commandId === null ? report.activeMode === "none" : late.commandIds.includes(report.commandId);
  return byThem ? { ...intent, reopened: true } : intent;
}

/**
 * End a command whose target was not shown. An opening that was certainly not carried out is replaced by the
 * run before it.
 */
export function ended<I extends Intent>(intent: I, state: "refused" | "unconfirmed" | "failed"): I {
  if (intent.want === "open" && !mayRun(intent) && intent.fallbackUntil !== null) {
    return { ...intent, state, until: intent.fallbackUntil, mayHaveRun: true };
  }
  return { ...intent, state };
}

/**
 * After a restart or takeover: a send with an awaited answer becomes one of unknown fate, and the token is
 * gone.
 */
export function resumed<I extends Intent>(intent: I, now: number): I {
  const settled: I =
    intent.answer === "waiting" ? answered(intent, { kind: "unknown", message: "restarted" }, now) : intent;
  return settled.want === "open" ? { ...settled, mayResend: false } : settled;
}

const NULL_OR = (time: number | null, ms: number): number | null => (time === null ? null : time + ms);

function shiftedEarlier<P extends { at: number; sentAt: number }>(command: P, ms: number): P {
  return { ...command, at: command.at + ms, sentAt: command.sentAt + ms };
}

/** The wall clock was set: shift every time by the same amount, so that no run grows or shrinks (RUN-4). */
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
        : {
            ...intent.earlierOpens,
            expiresAt: intent.earlierOpens.expiresAt + ms,
            ...(intent.earlierOpens.press && { press: shiftedEarlier(intent.earlierOpens.press, ms) }),
          },
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

/**
 * Return a stored intent on the present clock. After a power cut the clock may be behind the times that were stored
 * before it, by years: then the newest of them is now, and the others keep their distance, so that nothing waits until
 * the clock is right.
 */
export function notAhead(intent: Intent, now: number): Intent {
  const { at, acceptedAt, lastSentAt, answeredAt, readAt } = intent;
  const newest = Math.max(at, acceptedAt ?? at, lastSentAt ?? at, answeredAt ?? at, readAt ?? at);
  return newest > now ? shifted(intent, now - newest) : intent;
}
