import { Actor, CommandState } from "@mulkko/shared/live/devices";
import { OPEN_WINDOW_MS } from "@mulkko/shared/rules/valve";
import { type Static, Type } from "typebox";
import type { KeyedCollection } from "../store/collections.ts";

/** Limits of the valve rules in ms, each with its rule. */
export const VALVE_LIMITS = {
  /** CMD-4: maximum number of sends of an opening. */
  openSends: 3,
  /** CMD-10: time after the press during which an opening may be sent. */
  openWindowMs: OPEN_WINDOW_MS,
  /** CMD-4: age at which the device ignores an opening. */
  openExpiresMs: 25_000,
  /** CMD-4: delay before an opening that was certainly not carried out is sent again. */
  openRetryMs: 3_000,
  /** CMD-4: delays between repetitions of a close; the last one repeats. */
  closeGapsMs: [2_000, 5_000, 10_000, 20_000, 40_000, 60_000],
  /** CMD-4: minimum gap between closes that a report from the controller triggers. */
  reportGapMs: 10_000,
  /** CMD-4: an unconfirmed close is given up after this time if the last report shows the valve closed. */
  closeGivesUpMs: 24 * 3_600_000,
  /** CMD-1: a command without confirmation becomes unconfirmed after this time. */
  unconfirmedMs: 60_000,
  /**
   * CMD-1, plain API: delay after the acceptance from which reads count, and minimum gap between two of
   * them.
   */
  readAfterMs: 2_000,
  readsApartMs: 3_000,
  /** POLL-6: delays of the reads after the acceptance; then every `readEveryMs`. */
  readStepsMs: [2_000, 5_200, 9_000, 14_000, 20_000, 30_000, 45_000, 58_000],
  readEveryMs: 15_000,
  /** Interval between attempts to find out whether an opening of unknown fate was carried out. */
  readUnknownMs: 2_000,
  /** An answer that is outstanding for longer counts as lost. */
  answerMs: 8_000,
  /** RUN-2: delay of the relay's close after the end of a run that the device times itself. */
  timedGraceMs: 10_000,
  /** RUN-2: this late after the end of a run the relay was not there when it came, and looks first. */
  lateMs: 2_000,
  /** RUN-2: how often it then reads, and for how long: a farm API that is away takes no close either. */
  lookEveryMs: 2_000,
  lookMs: 30_000,
  /**
   * A run is over after a report of closed and this time without another state: late messages do not end it.
   */
  overMs: 30_000,
  /**
   * Tolerance before and after our end of run within which the device's end is ours (transit, coarse
   * clocks).
   */
  runUntilEarlyMs: 15_000,
  runUntilLateMs: 40_000,
  /** After a close: time beyond its expiry for which a superseded opening is watched for. */
  lateOpenMs: 5_000,
  /** CMD-14: time after the send for which an opening without expiry is watched for. */
  lateOpenWatchMs: 24 * 3_600_000,
  /** CMD-14: the same, once a later command was seen to be carried out. */
  lateOpenInOrderMs: 10 * 60_000,
  /** CMD-14: read intervals while a channel is watched: in the first ten minutes, and afterwards. */
  watchEveryMs: [15_000, 60_000],
  /** Number of ids remembered of one intent's sends. */
  sentIds: 8,
} as const;

const Time = Type.Number();
const NullableTime = Type.Union([Time, Type.Null()]);

/** The newest command among openings that may still arrive, and when it was last sent. */
const EarlierCommand = Type.Object({
  at: Time,
  by: Actor,
  sentAt: Time,
  /**
   * False: the farm API carries it out at any age, and `expiresAt` is the end of the relay's watch (CMD-14).
   */
  expires: Type.Boolean(),
});

/** Openings sent before this intent that may reach the device until `expiresAt`. */
const EarlierOpens = Type.Union([
  Type.Object({
    commandIds: Type.Array(Type.String()),
    expiresAt: Time,
    /** Absent in intents stored by earlier versions. */
    press: Type.Optional(EarlierCommand),
  }),
  Type.Null(),
]);
export type EarlierOpens = Static<typeof EarlierOpens>;

const shared = {
  channelKey: Type.String(),
  controllerId: Type.String(),
  /** Channel number, 1 to 8. */
  number: Type.Integer(),
  form: Type.Union([Type.Literal("controller"), Type.Literal("sensor")]),
  /** New for every command: identifies the run, also after its command has ended. */
  runId: Type.String(),
  commandId: Type.String(),
  by: Actor,
  origin: Type.String(),
  traceId: Type.String(),
  /** Time of the command, or of the run's end. All times are store time, ms UTC. */
  at: Time,
  state: CommandState,
  /** End reason for the log. */
  reason: Type.Union([Type.String(), Type.Null()]),
  acceptedAt: NullableTime,
  /** The farm API's clock minus the store's, ms. */
  offsetMs: Type.Number(),
  sends: Type.Integer(),
  firstSentAt: NullableTime,
  lastSentAt: NullableTime,
  /** Ids of its sends, newest last. */
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
  /**
   * True once the answer of a send was positive or lost; use `mayRun`, which includes the send in progress.
   */
  mayHaveRun: Type.Boolean(),
  /** When a read of the channel was last requested. */
  readAt: NullableTime,
  /** Start of the first read that shows the target, for reports without a time of their own. */
  firstRead: NullableTime,
  /** How the target was shown: by our command's id, by a later report, or by two reads of a plain API. */
  proof: Type.Union([Type.Literal("id"), Type.Literal("time"), Type.Literal("api"), Type.Null()]),
  /** The clock was set after the acceptance: reported times can no longer be compared with it. */
  timesDoubtful: Type.Boolean(),
  earlierOpens: EarlierOpens,
};

export const OpenIntent = Type.Object({
  ...shared,
  want: Type.Literal("open"),
  /** End of the run. */
  until: Time,
  /** End of the run that this opening replaced; restored if this one is certainly not carried out. */
  fallbackUntil: NullableTime,
  /** The run time was sent to the device, which closes by itself (RUN-2). */
  timed: Type.Boolean(),
  /** End of run that the device reported before the command. */
  runUntilBefore: NullableTime,
  /** False after a restart: the user's token is gone (CRED-2). */
  mayResend: Type.Boolean(),
  /**
   * Since when the valve has been reported closed again: the run appears to be over. Of an opening that is not proven:
   * since when it is known that it was not carried out.
   */
  overSince: NullableTime,
  /**
   * False: no device ignores it because of its age (CMD-14). Absent in intents stored by earlier versions.
   */
  expires: Type.Optional(Type.Boolean()),
  /** The valve was reported closed when the command was given, or since. */
  shownClosed: Type.Optional(Type.Boolean()),
});
export type OpenIntent = Static<typeof OpenIntent>;

export const CloseIntent = Type.Object({
  ...shared,
  want: Type.Literal("close"),
  /** A user's command, the end of a run (RUN-2), or an opening that arrived after its close. */
  why: Type.Union([Type.Literal("pressed"), Type.Literal("run-end"), Type.Literal("late-open")]),
  /** It withdraws the opening that it replaces (CMD-12). */
  withdrawal: Type.Optional(Type.Literal(true)),
  /** After the proof, a superseded opening opened the valve. */
  reopened: Type.Boolean(),
  /** The valve was reported open when this close was requested, or since. */
  shownOpen: Type.Optional(Type.Boolean()),
  /**
   * End of run that the device reported before this close, for one at the end of a run. Absent without a report, and in
   * intents stored by earlier versions.
   */
  runUntilBefore: Type.Optional(NullableTime),
});
export type CloseIntent = Static<typeof CloseIntent>;

/** The single stored intent of a channel (CMD-0). */
export const Intent = Type.Union([OpenIntent, CloseIntent]);
export type Intent = Static<typeof Intent>;

/** The open intents by channel key (RUN-3). */
export const INTENTS = {
  ...{ name: "intents", shape: "keyed", value: Intent, rewritten: true, listed: true },
  sqlite: { table: "intents", key: "channel", value: "intent" },
  redis: { documents: "n", accounts: "intending" },
} as const satisfies KeyedCollection;

/** True while the command is open: requested, and neither confirmed nor ended. */
export function isPending(intent: Intent): boolean {
  return intent.state === "requested" || intent.state === "accepted";
}

/** True for a refused opening that stays only to keep the end of the previous run. */
export function isGuard(intent: Intent): intent is OpenIntent {
  return intent.want === "open" && (intent.state === "refused" || intent.state === "failed");
}

/** True unless the opening was certainly not carried out. */
export function mayRun(intent: Intent): boolean {
  return intent.mayHaveRun || intent.answer === "waiting";
}

/** Return when the relay closes a run: at its end, or slightly later if the device times itself (RUN-2). */
export function closesAt(intent: OpenIntent): number {
  return intent.until + (intent.timed ? VALVE_LIMITS.timedGraceMs : 0);
}

/**
 * Return the end of the run that the relay enforces, ms UTC; null where it enforces none. While
 * the opening is not proven, that is the end of the run before.
 */
export function relayEnd(intent: Intent | null): number | null {
  if (intent?.want !== "open") return null;
  return isPending(intent) && intent.proof === null ? intent.fallbackUntil : intent.until;
}

/** Return until when an opening may be sent (CMD-4). */
export function openWindowEnd(intent: OpenIntent): number {
  return Math.min(intent.at + VALVE_LIMITS.openWindowMs, intent.until);
}

/** Return the remaining seconds of the run, at least one. */
export function remainingSeconds(intent: OpenIntent, now: number): number {
  return Math.max(1, Math.ceil((intent.until - now) / 1_000));
}

/** Return when a device begins to ignore this opening (CMD-4). */
export function expiresAt(intent: OpenIntent): number {
  return intent.at + VALVE_LIMITS.openExpiresMs;
}

/** Return until when the relay expects that this opening may reach the valve (CMD-4, CMD-14). */
export function mayComeUntil(intent: OpenIntent): number {
  return intent.expires === false ? intent.at + VALVE_LIMITS.lateOpenWatchMs : expiresAt(intent);
}

/** True if openings from before this intent may still arrive. */
export function awaitsEarlier(intent: Intent, now: number): boolean {
  return intent.earlierOpens !== null && intent.earlierOpens.expiresAt + VALVE_LIMITS.lateOpenMs > now;
}

/**
 * True if every sent copy of this opening is known to have arrived: it was sent once, and the valve was seen
 * to open for it and for no other.
 */
export function hasArrived(intent: OpenIntent, now: number): boolean {
  if (intent.sends !== 1) return intent.sends === 0;
  if (intent.proof === "id") return true;
  return intent.proof !== null && intent.shownClosed === true && !awaitsEarlier(intent, now);
}

/** True for a confirmed close that stays only because an earlier opening may arrive late (CMD-14). */
export function watchesForLate(intent: Intent): boolean {
  return (
    intent.want === "close" && intent.state === "confirmed" && intent.earlierOpens?.press?.expires === false
  );
}

/** Return when a run that was reported closed is finally over. */
export function runOverAt(intent: OpenIntent, overSince: number): number {
  return Math.max(settledAt(intent, overSince), overSince + VALVE_LIMITS.overMs);
}

/** Return the time from which no sent opening can open the valve: after its execution or its expiry. */
export function settledAt(intent: OpenIntent, now: number): number {
  const arrived =
    intent.expires === false ? hasArrived(intent, now) : intent.proof === "id" && intent.sends === 1;
  return arrived ? intent.at : mayComeUntil(intent) + VALVE_LIMITS.lateOpenMs;
}
