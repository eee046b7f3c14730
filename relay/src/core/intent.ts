import { Actor, CommandState } from "@mulkko/shared/live/devices";
import { type Static, Type } from "typebox";

/** Numbers of the valve rules; times are ms, each named by the rule that it belongs to. */
export const VALVE_LIMITS = {
  /** CMD-4: an opening is sent at most so often, within so long of the press. */
  openSends: 3,
  openWindowMs: 15_000,
  /** CMD-4: an opening that arrives later than this after the press is ignored by the device. */
  openExpiresMs: 25_000,
  /** CMD-4: gap before another try of an opening that surely was not carried out. */
  openRetryMs: 3_000,
  /** CMD-4: gaps between repetitions of a close; the last one goes on. */
  closeGapsMs: [2_000, 5_000, 10_000, 20_000, 40_000, 60_000],
  /** CMD-4: a controller that is heard gets the close at once, but not more often than this. */
  heardGapMs: 10_000,
  /** CMD-4: a close that nothing confirms is given up after this, if the last report shows the valve closed. */
  closeGivesUpMs: 24 * 3_600_000,
  /** CMD-1: a command without confirmation is called unconfirmed after this. */
  unconfirmedMs: 60_000,
  /** CMD-1, plain API: reads count from so long after the acceptance, and two must lie so far apart. */
  readAfterMs: 2_000,
  readsApartMs: 3_000,
  /** POLL-6: when the channel is read after the acceptance; later every `readEveryMs`. */
  readStepsMs: [2_000, 5_200, 9_000, 14_000, 20_000, 30_000, 45_000, 58_000],
  readEveryMs: 15_000,
  /** Between two tries to learn whether an opening of unknown fate was carried out. */
  readUnknownMs: 2_000,
  /** An answer that is still out after this counts as lost. */
  answerMs: 8_000,
  /** RUN-2: the relay closes so long after the end of a run that the device times itself. */
  timedGraceMs: 10_000,
  /** A run is over when closed was reported, and nothing else for so long: late messages do not end it. */
  overMs: 30_000,
  /** How far a device's end of a run may lie before or after ours and still be ours (transit, coarse clocks). */
  runUntilEarlyMs: 15_000,
  runUntilLateMs: 40_000,
  /** After a close: how long beyond its expiry a superseded opening is watched for. */
  lateOpenMs: 5_000,
  /** Ids remembered of one intent's sends. */
  sentIds: 8,
} as const;

const Time = Type.Number();
const NullableTime = Type.Union([Time, Type.Null()]);

/** Openings that were sent before this intent and may still reach the device until `expiresAt`. */
const EarlierOpens = Type.Union([
  Type.Object({ commandIds: Type.Array(Type.String()), expiresAt: Time }),
  Type.Null(),
]);

const shared = {
  channelKey: Type.String(),
  controllerId: Type.String(),
  /** Channel number, 1 to 8. */
  number: Type.Integer(),
  form: Type.Union([Type.Literal("controller"), Type.Literal("sensor")]),
  /** New with every press: names the run, also after its command has ended. */
  runId: Type.String(),
  commandId: Type.String(),
  by: Actor,
  origin: Type.String(),
  traceId: Type.String(),
  /** Of the press, or of the run's end. Every time is store time, ms UTC. */
  at: Time,
  state: CommandState,
  /** Why it ended, for the log. */
  reason: Type.Union([Type.String(), Type.Null()]),
  acceptedAt: NullableTime,
  /** The farm API's clock minus the store's, ms. */
  offsetMs: Type.Number(),
  sends: Type.Integer(),
  firstSentAt: NullableTime,
  lastSentAt: NullableTime,
  /** Ids under which it was sent, newest last. */
  sentIds: Type.Array(Type.String()),
  /** Fate of the newest send. */
  answer: Type.Union([
    Type.Literal("none"),
    Type.Literal("waiting"),
    Type.Literal("ok"),
    Type.Literal("refused"),
    Type.Literal("not-sent"),
    Type.Literal("unknown"),
  ]),
  answeredAt: NullableTime,
  /** True once some send's answer was a yes, or was lost; ask `mayRun`, which counts the one under way. */
  mayHaveRun: Type.Boolean(),
  /** When the channel was last asked to be read. */
  readAt: NullableTime,
  /** Begin of the first read that shows the target, where reports carry no time of their own. */
  firstRead: NullableTime,
  /** How the target was shown: by our command's id, by a later report, or by two bare reads of the API. */
  proof: Type.Union([Type.Literal("id"), Type.Literal("time"), Type.Literal("api"), Type.Null()]),
  /** The clock was set since the acceptance: reported times cannot be set against it any more. */
  timesDoubtful: Type.Boolean(),
  earlierOpens: EarlierOpens,
};

export const OpenIntent = Type.Object({
  ...shared,
  want: Type.Literal("open"),
  /** End of the run. */
  until: Time,
  /** End of the run that this opening replaced; stands again if this one is surely not carried out. */
  fallbackUntil: NullableTime,
  /** The run time went to the device, which closes by itself (RUN-2). */
  timed: Type.Boolean(),
  /** End of run that the device reported before the press. */
  runUntilBefore: NullableTime,
  /** False after a restart: the presser's token is gone (CRED-2). */
  mayResend: Type.Boolean(),
  /** Since when the valve has been reported closed again: the run seems over. */
  overSince: NullableTime,
});
export type OpenIntent = Static<typeof OpenIntent>;

export const CloseIntent = Type.Object({
  ...shared,
  want: Type.Literal("close"),
  /** A person's press; the end of a run (RUN-2); or an opening that arrived after its close. */
  why: Type.Union([Type.Literal("pressed"), Type.Literal("run-end"), Type.Literal("late-open")]),
  /** After the proof, the valve opened by an opening that had been superseded. */
  reopened: Type.Boolean(),
});
export type CloseIntent = Static<typeof CloseIntent>;

/** The one stored wish for a channel (CMD-0). */
export const Intent = Type.Union([OpenIntent, CloseIntent]);
export type Intent = Static<typeof Intent>;

/** True while the command is open: asked, and neither done nor ended. */
export function isPending(intent: Intent): boolean {
  return intent.state === "requested" || intent.state === "accepted";
}

/** True unless it surely was not carried out. */
export function mayRun(intent: Intent): boolean {
  return intent.mayHaveRun || intent.answer === "waiting";
}

/** When the relay closes a run: at its end, or a little later where the device times itself (RUN-2). */
export function closesAt(intent: OpenIntent): number {
  return intent.until + (intent.timed ? VALVE_LIMITS.timedGraceMs : 0);
}

/** Until when an opening may be sent (CMD-4). */
export function openWindowEnd(intent: OpenIntent): number {
  return Math.min(intent.at + VALVE_LIMITS.openWindowMs, intent.until);
}

/** Seconds of the run that remain, at least one. */
export function remainingSeconds(intent: OpenIntent, now: number): number {
  return Math.max(1, Math.ceil((intent.until - now) / 1_000));
}

/** When a device begins to ignore this opening (CMD-4). */
export function expiresAt(intent: OpenIntent): number {
  return intent.at + VALVE_LIMITS.openExpiresMs;
}

/** When a run that was reported closed is over for good. */
export function runOverAt(intent: OpenIntent, overSince: number): number {
  return Math.max(settledAt(intent), overSince + VALVE_LIMITS.overMs);
}

/** From when on nothing that was sent can open the valve any more: after its execution, or its expiry. */
export function settledAt(intent: OpenIntent): number {
  return intent.proof === "id" && intent.sends === 1
    ? intent.at
    : expiresAt(intent) + VALVE_LIMITS.lateOpenMs;
}
